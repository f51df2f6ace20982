import { Form, Link } from '@remix-run/react';
import { Submit } from '#app/ui/submit.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field, TextArea } from '#app/ui/field.tsx';

/** A product that can be ordered, as texts. */
export interface OrderChoice {
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
  /** By name of the control. */
  values: Readonly<Record<string, string>>;
  errors: readonly string[];
}

/** The supplier's products with a quantity each; what is left empty is not ordered. */
export function OrderForm({ action, idempotencyKey, supplier, choices, values, errors }: OrderFormProps) {
  const add = `/dashboard/vendors/suppliers/${supplier.id}/products`;
  if (choices.length === 0)
    return (
      <EmptyState
        level={2}
        title={`${supplier.name} has no products yet`}
        action={<LinkButton to={add}>Add a product</LinkButton>}
      >
        An order is made of the supplier’s products with their prices.
      </EmptyState>
    );
  return (
    <Form method="post" action={action} noValidate className="grid gap-4">
      <ErrorSummary errors={errors} />
      {idempotencyKey ? <input type="hidden" name="idempotencyKey" value={idempotencyKey} /> : null}
      <p>
        Vials of each product from <strong>{supplier.name}</strong>. Leave empty what you do not order.
      </p>
      {choices.map(({ id, name, amount, price }) => (
        <Field
          key={id}
          name={`quantity.${id}`}
          label={`${name}, ${amount}`}
          hint={`${price} a vial`}
          inputMode="numeric"
          defaultValue={values[`quantity.${id}`]}
        />
      ))}
      <TextArea name="notes" label="Notes" defaultValue={values['notes']} />
      <div className="flex flex-wrap items-center gap-4">
        <Submit label="Save order" pendingLabel="Saving..." action={action} />
        <Link to={add} className="inline-flex min-h-11 items-center">
          Another product
        </Link>
      </div>
    </Form>
  );
}

/** The step before: whose products. */
export function SupplierChoice({ suppliers }: { suppliers: readonly { id: string; name: string }[] }) {
  if (suppliers.length === 0)
    return (
      <EmptyState
        level={2}
        title="No suppliers yet"
        action={<LinkButton to="/dashboard/vendors/suppliers/new">Add a supplier</LinkButton>}
      >
        An order goes to a supplier; note one first.
      </EmptyState>
    );
  return (
    <>
      <p>Which supplier do you order from?</p>
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
