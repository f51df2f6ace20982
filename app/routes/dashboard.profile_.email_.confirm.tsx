import { redirect, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ConfirmOwnEmail, ProfileSubPage } from '#app/features/accounts/index.ts';
import { EMAIL_MESSAGES } from '#app/domain/accounts/account-schema.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { resendConfirmation } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Confirm your email address – Vialbook' }];

const PAGE = '/dashboard/profile/email/confirm';

export const loader = forUsers(({ user }) => {
  if (user.hasConfirmedEmail) throw redirect('/dashboard/profile');
  return { email: user.email };
});

/** Mails the link again. */
export const action = forUsers(async ({ ctx }) => {
  await resendConfirmation(ctx);
  throw await done(PAGE, EMAIL_MESSAGES.sent);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ConfirmYourAddress() {
  const { email } = useLoaderData<typeof loader>();
  return (
    <ProfileSubPage title="Confirm your email address">
      <ConfirmOwnEmail email={email} action={PAGE} />
    </ProfileSubPage>
  );
}
