import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { supplierSchema, type SupplierFields } from '#app/domain/vendors/vendor-schema.ts';
import { plural } from '#app/domain/text/plural.ts';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Submit, LinkButton } from '#app/ui/button.tsx';
import { Field, Select, TextArea } from '#app/ui/fields.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

/** A supplier in the list. */
interface SupplierRow {
  id: string;
  name: string;
  site: string | null;
  contact: string | null;
  rating: number | null;
  products: number;
}

/** All suppliers by name. */
export function SupplierList({ suppliers }: { suppliers: readonly SupplierRow[] }) {
  if (suppliers.length === 0)
    return (
      <EmptyState
        level={2}
        title="No suppliers yet"
        drawing="box"
        action={
          <LinkButton to="/dashboard/vendors/suppliers/new" variant="primary">
            Add a supplier
          </LinkButton>
        }
      >
        Add the suppliers you buy from, with their products. Then you can compare prices per mg and turn a
        delivered order into vials with lot and cost.
      </EmptyState>
    );
  return (
    <ul className="sheet">
      {suppliers.map(({ id, name, site, contact, rating, products }) => (
        <li key={id} className="vendor-line">
          <div className="min-w-0">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <Link to={`/dashboard/vendors/suppliers/${id}`} className="vendor-name">
                {name}
              </Link>
              {rating === null ? null : (
                <span className="figure text-sm text-soft">
                  <span aria-hidden="true">{'★'.repeat(rating) + '☆'.repeat(5 - rating)} </span>
                  {`${rating} of 5`}
                </span>
              )}
            </p>
            <p className="text-sm text-soft">
              {[contact, site].filter(Boolean).join(' · ') || 'No contact details'}
            </p>
          </div>
          <p className="figure text-sm">{plural(products, 'product')}</p>
        </li>
      ))}
    </ul>
  );
}

const RATINGS = [
  { value: '', label: 'Not rated' },
  ...[5, 4, 3, 2, 1].map((stars) => ({ value: String(stars), label: `${stars} of 5` })),
];

type SupplierValues = Readonly<Record<keyof SupplierFields, string>>;

interface SupplierFormProps {
  action: string;
  /** Identifies this rendering of the form. */
  idempotencyKey?: string;
  values?: SupplierValues;
  lastResult?: SubmissionResult<string[]> | null;
}

/** The form to add or edit a supplier. */
export function SupplierForm({ action, idempotencyKey, values, lastResult }: SupplierFormProps) {
  const [form, fields] = useSchemaForm('supplier', supplierSchema, { lastResult, defaultValue: values });
  return (
    <SchemaForm form={form} action={action}>
      {idempotencyKey ? <input type="hidden" name="idempotencyKey" value={idempotencyKey} /> : null}
      <Field {...fieldProps(fields.name)} label="Name" required />
      <Field {...fieldProps(fields.site)} label="Website" type="url" inputMode="url" hint="Optional." />
      <Field
        {...fieldProps(fields.contact)}
        label="Contact"
        hint="Optional. A name, an email address or a phone number."
      />
      <Select {...fieldProps(fields.rating)} label="Your rating" options={RATINGS} />
      <TextArea {...fieldProps(fields.notes)} label="Notes" />
      <div>
        <Submit label="Save supplier" pendingLabel="Saving..." action={action} />
      </div>
    </SchemaForm>
  );
}
