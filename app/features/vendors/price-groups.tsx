import { Link } from '@remix-run/react';
import { Badge } from '#app/ui/badge.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

/** Products with one name and currency as text, lowest price per mg first. */
export interface PriceGroupView {
  name: string;
  currency: string;
  rows: {
    id: string;
    supplierId: string;
    supplier: string;
    amount: string;
    price: string;
    perMg: string;
    difference: string;
    isCheapest: boolean;
  }[];
}

/** Prices per mg across suppliers. */
export function PriceGroups({ groups }: { groups: readonly PriceGroupView[] }) {
  if (groups.length === 0)
    return (
      <EmptyState
        level={2}
        title="Nothing to compare yet"
        drawing="box"
        action={
          <LinkButton variant="primary" to="/dashboard/vendors">
            Go to suppliers
          </LinkButton>
        }
      >
        Your suppliers’ products appear here by compound, lowest price per mg first. Prices in different
        currencies are compared separately.
      </EmptyState>
    );
  return (
    <>
      <p className="text-soft">Price ÷ amount per vial, as entered, excluding shipping.</p>
      {groups.map(({ name, currency, rows }) => (
        <section key={`${name}\n${currency}`} aria-label={`${name} in ${currency}`}>
          <h2 className="text-xl">
            {name} <span className="text-base text-soft">{currency}</span>
          </h2>
          <DataTable
            caption={`Price per mg of ${name} in ${currency}`}
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'supplier',
                label: 'Supplier',
                cell: ({ supplier, supplierId }) => (
                  <Link
                    to={`/dashboard/vendors/suppliers/${supplierId}`}
                    className="inline-flex min-h-11 items-center"
                  >
                    {supplier}
                  </Link>
                ),
              },
              { key: 'perMg', label: 'Per mg', numeric: true, cell: ({ perMg }) => perMg },
              { key: 'amount', label: 'Per vial', numeric: true, cell: ({ amount }) => amount },
              { key: 'price', label: 'Price', numeric: true, cell: ({ price }) => price },
              {
                key: 'difference',
                label: 'Difference',
                cell: ({ isCheapest, difference }) =>
                  isCheapest ? <Badge tone="good">Cheapest</Badge> : difference,
              },
            ]}
          />
        </section>
      ))}
    </>
  );
}
