import { Form } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { AuthPage } from '#app/ui/shell/auth-page.tsx';
import { SubmitButton } from './submit-button.tsx';

/** The last step of an address change: opening a link changes nothing yet, mail programs open them, too. */
export function ConfirmEmail() {
  return (
    <AuthPage title="Confirm your new address">
      <Form method="post" className="grid gap-4">
        <p>From then on you sign in with this address, and mails go to it.</p>
        <SubmitButton label="Use this address" pendingLabel="Changing the address..." />
      </Form>
    </AuthPage>
  );
}

/** What a link that is over leads to. */
export function EmailLinkOver({ message }: { message: string }) {
  return (
    <AuthPage title="This link no longer works">
      <p className="mb-4">{message}</p>
      <LinkButton to="/dashboard/profile/email">Open your profile</LinkButton>
    </AuthPage>
  );
}
