import { Link } from '@remix-run/react';
import { stateText, type OrderState } from '#app/domain/vendors/order-states.ts';
import { Badge } from '#app/ui/badge.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { STATE_TONE } from './vendor-texts.ts';

/** An order as the list shows it. */
export interface OrderRow {
  id: string;
  supplier: string;
  state: OrderState;
  /** "3 vials of BPC-157, TB-500" */
  content: string;
  /** "89.70 USD" */
  total: string;
  day: string;
}

function Line({ order: { id, supplier, state, content, total, day } }: { order: OrderRow }) {
  return (
    <li className="vendor-line">
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
  );
}

/** Orders, the newest first. */
export function OrderList({ orders }: { orders: readonly OrderRow[] }) {
  if (orders.length === 0)
    return (
      <EmptyState
        level={2}
        title="No orders yet"
        action={
          <LinkButton to="/dashboard/vendors/orders/new" variant="primary">
            Write an order
          </LinkButton>
        }
      >
        Write down what you ordered. When the parcel arrives, one step makes sealed vials of it, each with its
        lot and what it cost.
      </EmptyState>
    );
  return (
    <ol className="sheet">
      {orders.map((order) => (
        <Line key={order.id} order={order} />
      ))}
    </ol>
  );
}
