import { Link } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

/** A supplier as the list shows it. */
export interface SupplierRow {
  id: string;
  name: string;
  site: string | null;
  contact: string | null;
  rating: number | null;
  products: number;
}

function Rating({ rating }: { rating: number }) {
  return (
    <span className="figure text-sm text-soft">
      <span aria-hidden="true">{'★'.repeat(rating) + '☆'.repeat(5 - rating)} </span>
      {`${rating} of 5`}
    </span>
  );
}

function Line({ supplier }: { supplier: SupplierRow }) {
  const { id, name, site, contact, rating, products } = supplier;
  return (
    <li className="vendor-line">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Link to={`/dashboard/vendors/suppliers/${id}`} className="vendor-name">
            {name}
          </Link>
          {rating === null ? null : <Rating rating={rating} />}
        </p>
        <p className="text-sm text-soft">
          {[contact, site].filter(Boolean).join(' · ') || 'No contact noted'}
        </p>
      </div>
      <p className="figure text-sm">{products === 1 ? '1 product' : `${products} products`}</p>
    </li>
  );
}

/** Who sells what: all suppliers by name. */
export function SupplierList({ suppliers }: { suppliers: readonly SupplierRow[] }) {
  if (suppliers.length === 0)
    return (
      <EmptyState
        level={2}
        title="No suppliers yet"
        action={
          <LinkButton to="/dashboard/vendors/suppliers/new" variant="primary">
            Add a supplier
          </LinkButton>
        }
      >
        Note where your vials come from. With their products and prices here, the price of a milligram can be
        compared, and an order that arrives becomes vials with lot and cost.
      </EmptyState>
    );
  return (
    <ul className="sheet">
      {suppliers.map((supplier) => (
        <Line key={supplier.id} supplier={supplier} />
      ))}
    </ul>
  );
}
