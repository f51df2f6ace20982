import { Form, Link } from '@remix-run/react';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Submit, LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field, TextArea } from '#app/ui/fields.tsx';
import type { SentForm } from '#app/ui/forms/schema-form.tsx';

/** A product that can be ordered, as text. */
interface OrderChoice {
  id: string;
  name: string;
  amount: string;
  price: string;
}

interface OrderFormProps {
  action: string;
  idempotencyKey?: string;
  supplier: { id: string; name: string };
  choices: readonly OrderChoice[];
  /** By field name. */
  values: Readonly<Record<string, string>>;
  refused: SentForm | undefined;
}

/** The form of an order: a quantity for each of the supplier's products; empty ones are not ordered. */
export function OrderForm({ action, idempotencyKey, supplier, choices, values, refused }: OrderFormProps) {
  const { errors = {}, formErrors = [] } = refused ?? {};
  const controls = [...choices.flatMap(({ id }) => [`quantity.${id}`, `components.${id}`]), 'notes'];
  const [atControls, ofOrder] = partition(errors, controls);
  const productOf = (control: string) =>
    choices.find(({ id }) => control.endsWith(`.${id}`))?.name ?? control;
  const add = `/dashboard/vendors/suppliers/${supplier.id}/products`;
  if (choices.length === 0)
    return (
      <EmptyState
        level={2}
        title={`${supplier.name} has no products yet`}
        action={<LinkButton to={add}>Add a product</LinkButton>}
      >
        You order from the supplier’s list of products and prices.
      </EmptyState>
    );
  return (
    <Form method="post" action={action} noValidate className="grid gap-4">
      <ErrorSummary
        errors={[...formErrors, ...ofOrder]}
        fields={fieldsToFix(atControls, undefined, productOf)}
      />
      {idempotencyKey ? <input type="hidden" name="idempotencyKey" value={idempotencyKey} /> : null}
      <p>
        How many vials of each product from <strong>{supplier.name}</strong>? Leave the others empty.
      </p>
      {choices.map(({ id, name, amount, price }) => (
        <div key={id}>
          <Field
            name={`quantity.${id}`}
            label={`${name}, ${amount}`}
            hint={`${price} per vial`}
            inputMode="numeric"
            defaultValue={values[`quantity.${id}`]}
            error={errors[`quantity.${id}`]?.[0]}
          />
          <Disclosure
            summary={`Components of ${name}, if it is a blend`}
            open={Boolean(values[`components.${id}`]) || errors[`components.${id}`] !== undefined}
          >
            <Field
              name={`components.${id}`}
              label={`Components of one vial of ${name}, in mg`}
              hint="Such as BPC-157:5; TB-500:5. Leave empty for a single peptide."
              defaultValue={values[`components.${id}`]}
              error={errors[`components.${id}`]?.[0]}
            />
          </Disclosure>
        </div>
      ))}
      <TextArea name="notes" label="Notes" defaultValue={values['notes']} error={errors['notes']?.[0]} />
      <div className="flex flex-wrap items-center gap-4">
        <Submit label="Save order" pendingLabel="Saving..." action={action} />
        <Link to={add} className="inline-flex min-h-11 items-center">
          Add a product
        </Link>
      </div>
    </Form>
  );
}

/** Splits errors into those at the form's fields, in the order of the form, and those about the order as a whole. */
function partition(errors: FieldErrors, controls: readonly string[]): [FieldErrors, string[]] {
  const atControls = controls.flatMap((name) => (errors[name] ? [[name, errors[name]] as const] : []));
  const others = Object.entries(errors).flatMap(([name, messages]) =>
    controls.includes(name) ? [] : messages,
  );
  return [Object.fromEntries(atControls), [...new Set(others)]];
}

/** The step before the order form: choosing the supplier. */
export function SupplierChoice({ suppliers }: { suppliers: readonly { id: string; name: string }[] }) {
  if (suppliers.length === 0)
    return (
      <EmptyState
        level={2}
        title="No suppliers yet"
        action={<LinkButton to="/dashboard/vendors/suppliers/new">Add a supplier</LinkButton>}
      >
        Add a supplier before you create an order.
      </EmptyState>
    );
  return (
    <>
      <p>Which supplier are you ordering from?</p>
      <ul className="grid gap-2">
        {suppliers.map(({ id, name }) => (
          <li key={id}>
            <LinkButton to={`/dashboard/vendors/orders/new?supplier=${id}`}>{name}</LinkButton>
          </li>
        ))}
      </ul>
    </>
  );
}
