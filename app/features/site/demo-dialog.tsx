import { Form } from '@remix-run/react';
import { DemoForm } from '#app/features/demo/index.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/fields.tsx';

interface DemoDialogProps {
  action: string;
  closeHref: string;
  /** The demo is switched on. */
  hasDemo?: boolean;
  email?: string;
  error?: string;
  /** The address was saved. */
  done?: boolean;
}

/** Offers the demo, and a waiting list. */
export function DemoDialog({ action, closeHref, hasDemo = false, email, error, done }: DemoDialogProps) {
  return (
    <Dialog id="demo" title="Demo" closeHref={closeHref}>
      {done ? (
        <>
          <p role="status">Thank you. We will use your address for this one message only.</p>
          <LinkButton to={closeHref} className="mt-5">
            Close
          </LinkButton>
        </>
      ) : (
        <>
          {hasDemo ? (
            <div className="mb-6 grid gap-4">
              <p>A year of made-up data in an account of your own, for 24 hours. Nothing is sent anywhere.</p>
              <DemoForm variant="primary" />
            </div>
          ) : null}
          <Form method="post" action={action} noValidate className="grid gap-4">
            {error ? <ErrorSummary errors={[]} fields={[{ id: 'demo-email', message: error }]} /> : null}
            <p>
              {hasDemo
                ? 'Or leave your email address and we will tell you when there is more to see.'
                : 'A demo is coming soon. Leave your email address and we will tell you when it is ready.'}
            </p>
            <Field
              name="email"
              id="demo-email"
              type="email"
              label="Email"
              autoComplete="email"
              defaultValue={email}
              error={error}
            />
            <div className="flex flex-wrap gap-3">
              <Button {...(!hasDemo && { variant: 'primary' })}>Notify me</Button>
              <LinkButton to={closeHref}>Close</LinkButton>
            </div>
          </Form>
        </>
      )}
    </Dialog>
  );
}
