import { Form } from '@remix-run/react';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Field } from '#app/ui/field.tsx';

interface DiscardFormProps {
  name: string;
  left: string;
  action: string;
  cancelHref: string;
  error?: string;
}

/** The step before a vial is thrown away. */
export function DiscardForm({ name, left, action, cancelHref, error }: DiscardFormProps) {
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 ps-6">
      <h1>{`Discard this vial of ${name}?`}</h1>
      <p className="mt-3 text-soft">
        {`The ${left} mg that are left are written off in its ledger. A discarded vial stays readable and cannot be used again.`}
      </p>
      <Form method="post" action={action} className="mt-4 grid gap-4">
        <Field name="reason" label="Reason" hint="Optional." error={error} autoComplete="off" />
        <div className="flex flex-wrap gap-3">
          <Button variant="danger">Discard</Button>
          <LinkButton to={cancelHref}>Keep it</LinkButton>
        </div>
      </Form>
    </div>
  );
}
