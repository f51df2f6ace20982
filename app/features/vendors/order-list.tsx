import { Link } from '@remix-run/react';
import { Badge } from '#app/ui/badge.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { stateText, type OrderState } from '#app/domain/vendors/order-states.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { STATE_TONE } from './vendor-texts.ts';

/** An order in the list, as text. */
interface OrderRow {
  id: string;
  supplier: string;
  state: OrderState;
  /** "3 vials of BPC-157, TB-500" */
  content: string;
  /** "89.70 USD" */
  total: string;
  day: string;
}

/** Orders, newest first. */
export function OrderList({ orders }: { orders: readonly OrderRow[] }) {
  if (orders.length === 0)
    return (
      <EmptyState
        level={2}
        title="No orders yet"
        drawing="box"
        action={
          <LinkButton to="/dashboard/vendors/orders/new" variant="primary">
            New order
          </LinkButton>
        }
      >
        Record what you order. When it arrives, one step adds the sealed vials with lot and cost.
      </EmptyState>
    );
  return (
    <ol className="sheet">
      {orders.map(({ id, supplier, state, content, total, day }) => (
        <li key={id} className="vendor-line">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-3">
              <Link
                to={`/dashboard/vendors/orders/${id}`}
                className="vendor-name"
                aria-label={`${supplier}, ${day}`}
              >
                {supplier}
              </Link>
              <Badge tone={STATE_TONE[state]}>{stateText(state)}</Badge>
            </p>
            <p className="text-sm text-soft">{content}</p>
          </div>
          <p className="figure text-end text-sm">
            {total}
            <span className="block text-soft">{day}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}

/** A compound to reorder, as text. */
interface ReorderRow {
  name: string;
  isDue: boolean;
  /** "Runs out on 3 Dec 2026; order by 19 Nov 2026." */
  when: string;
  /** "Cheapest: 5 mg from Acme Peptides, 29.90 USD, 5.98 USD/mg" */
  offers: { id: string; supplierId: string; text: string }[];
  onTheWay: { orderId: string; text: string }[];
}

/** Compounds to reorder soon. Renders nothing if there are none. */
export function ReorderList({ rows }: { rows: readonly ReorderRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="reorder-title">
      <h2 id="reorder-title" className="text-xl">
        To reorder
      </h2>
      <p className="mt-1 max-w-prose text-sm text-soft">
        Based on your planned doses and your stock, with 14 days for delivery. Each offer is the lowest price
        per mg among your suppliers.
      </p>
      <ul className="sheet mt-3">
        {rows.map(({ name, isDue, when, offers, onTheWay }) => (
          <li key={name} className="reorder-line">
            <p className="flex flex-wrap items-center gap-x-3 font-semibold">
              {name}
              <Badge tone={isDue ? 'danger' : 'warn'}>{isDue ? 'Order now' : 'Order soon'}</Badge>
            </p>
            <p className="text-sm">{when}</p>
            {onTheWay.map(({ orderId, text }) => (
              <p key={orderId} className="text-sm">
                <Link
                  to={`/dashboard/vendors/orders/${orderId}`}
                  className="inline-flex min-h-11 items-center"
                >
                  {text}
                </Link>
              </p>
            ))}
            {offers.map((offer) => (
              <div key={offer.id} className="reorder-offer">
                <p className="text-sm text-soft tabular-nums">{offer.text}</p>
                <LinkButton
                  to={`/dashboard/vendors/orders/new?supplier=${offer.supplierId}&product=${offer.id}`}
                  aria-label={`Order ${name}, ${offer.text}`}
                >
                  Order
                </LinkButton>
              </div>
            ))}
            {offers.length === 0 ? (
              <p className="text-sm text-soft">
                None of your suppliers sells it.{' '}
                <Link to="/dashboard/vendors" className="inline-flex min-h-11 items-center">
                  Add a product to a supplier
                </Link>
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
