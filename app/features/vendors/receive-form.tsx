import { Form } from '@remix-run/react';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Submit } from '#app/ui/submit.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import type { OrderLineView } from './order-view.tsx';

interface ReceiveFormProps {
  action: string;
  lines: readonly OrderLineView[];
  values: Readonly<Record<string, string>>;
  errors: FieldErrors;
  formErrors: readonly string[];
}

/** What the parcel says: lot and expiry of each product. */
export function ReceiveForm({ action, lines, values, errors, formErrors }: ReceiveFormProps) {
  const field = (name: string) => ({ name, defaultValue: values[name], error: errors[name]?.[0] });
  return (
    <Form method="post" action={action} noValidate className="grid gap-6">
      <ErrorSummary errors={formErrors} />
      <p>Each vial becomes an entry of its own under Vials, sealed, with this lot and what it cost.</p>
      {lines.map(({ key, name, amount, quantity }) => (
        <fieldset key={key} className="grid gap-4 border-t border-line pt-4">
          <legend className="float-start w-full font-semibold">{`${quantity} × ${name}, ${amount}`}</legend>
          <Field {...field(`lot.${key}`)} label="Lot" hint="As printed on the vial. Optional." />
          <Field
            {...field(`expirationDate.${key}`)}
            label="Expiry of the sealed vial"
            type="date"
            hint="Optional."
          />
        </fieldset>
      ))}
      <div>
        <Submit label="Receive the order" pendingLabel="Receiving..." action={action} />
      </div>
    </Form>
  );
}
