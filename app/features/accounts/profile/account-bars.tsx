import { Form, Link } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

// Apart from the forms they lead to: every page of an account loads these, and none of them needs a schema.

/** On every page of the account while a deletion is scheduled, with the way back. @param props.at when, as text */
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

/** One line on every page until the address is confirmed; the first input of a page stays on a phone's first screen. */
export function UnconfirmedEmail() {
  return (
    <p className="no-print flex flex-wrap items-center gap-x-3 border-b border-line text-sm">
      <span>Your address is not confirmed yet.</span>
      <Link to="/dashboard/profile/email/confirm" className="inline-flex min-h-11 items-center font-semibold">
        Confirm it
      </Link>
    </p>
  );
}
