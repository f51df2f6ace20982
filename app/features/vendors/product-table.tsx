import { Link } from '@remix-run/react';
import type { ProductForm } from '#app/domain/vendors/vendor-schema.ts';
import { DataTable } from '#app/ui/data-table.tsx';
import { FORM_LABELS } from './vendor-texts.ts';

/** A product as text. */
export interface ProductLine {
  id: string;
  name: string;
  form: ProductForm;
  /** "5 mg" */
  amount: string;
  /** "29.90 USD" */
  price: string;
  /** "5.98 USD/mg" */
  perMg: string;
  pricedOn: string;
}

/** A supplier's products. */
export function ProductTable({ products }: { products: readonly ProductLine[] }) {
  return (
    <DataTable
      caption="Products"
      rows={products}
      rowKey={({ id }) => id}
      columns={[
        { key: 'name', label: 'Compound', cell: ({ name }) => name },
        { key: 'form', label: 'Form', cell: ({ form }) => FORM_LABELS[form] },
        { key: 'amount', label: 'Per vial', numeric: true, cell: ({ amount }) => amount },
        { key: 'price', label: 'Price', numeric: true, cell: ({ price }) => price },
        { key: 'perMg', label: 'Per mg', numeric: true, cell: ({ perMg }) => perMg },
        { key: 'pricedOn', label: 'Price as of', cell: ({ pricedOn }) => pricedOn },
        {
          key: 'edit',
          label: 'Edit',
          cell: ({ id, name, amount }) => (
            <Link
              to={`/dashboard/vendors/products/${id}`}
              className="inline-flex min-h-11 items-center"
              aria-label={`Edit ${name}, ${amount}`}
            >
              Edit
            </Link>
          ),
        },
      ]}
    />
  );
}
