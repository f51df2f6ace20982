import { Form } from '@remix-run/react';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Field } from '#app/ui/field.tsx';

interface DemoDialogProps {
  action: string;
  closeHref: string;
  email?: string;
  error?: string;
  /** The address was saved. */
  done?: boolean;
}

/** The waiting list for the demo. */
export function DemoDialog({ action, closeHref, email, error, done }: DemoDialogProps) {
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
        <Form method="post" action={action} noValidate className="grid gap-4">
          <p>A demo is coming soon. Leave your email address to be notified when it is ready.</p>
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
            <Button variant="primary">Notify me</Button>
            <LinkButton to={closeHref}>Close</LinkButton>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
