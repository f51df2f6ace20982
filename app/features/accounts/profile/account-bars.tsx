import { Form, Link } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

// In a file of their own, because every page of an account loads these and they need no schema.

/** Shown on every page of the account while a deletion is scheduled, with a button to cancel it. @param props.at when, as text */
export function DeletionBar({ at }: { at: string }) {
  return (
    <div className="no-print mt-4">
      <Notice
        tone="warning"
        title={`This account will be deleted on ${at}`}
        actions={
          <Form method="post" action="/dashboard/profile/keep">
            <Button>Keep the account</Button>
          </Form>
        }
      >
        Until then everything works as before, and you can still download your data.
      </Notice>
    </div>
  );
}

/** Shown on every page until the address is confirmed. One line, so that a page's first input stays visible on a phone. */
export function UnconfirmedEmail() {
  return (
    <p className="frame-line no-print">
      <span>Confirm your email</span> <Link to="/dashboard/profile/email/confirm">Resend link</Link>
    </p>
  );
}
