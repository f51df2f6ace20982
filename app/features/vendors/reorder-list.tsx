import { Link } from '@remix-run/react';
import { Badge } from '#app/ui/badge.tsx';
import { LinkButton } from '#app/ui/button.tsx';

/** A compound that is to be ordered, as texts. */
export interface ReorderRow {
  name: string;
  isDue: boolean;
  /** "Runs out on 3 Dec 2026; order by 19 Nov 2026." */
  when: string;
  /** "Cheapest: 5 mg from Acme Peptides, 29.90 USD, 5.98 USD/mg" */
  offers: { id: string; supplierId: string; text: string }[];
  onTheWay: { orderId: string; text: string }[];
}

const newOrder = ({ id, supplierId }: ReorderRow['offers'][number]) =>
  `/dashboard/vendors/orders/new?supplier=${supplierId}&product=${id}`;

function Row({ row: { name, isDue, when, offers, onTheWay } }: { row: ReorderRow }) {
  return (
    <li className="reorder-line">
      <p className="flex flex-wrap items-center gap-x-3 font-semibold">
        {name}
        <Badge tone={isDue ? 'danger' : 'warn'}>{isDue ? 'Order now' : 'Order soon'}</Badge>
      </p>
      <p className="text-sm">{when}</p>
      {onTheWay.map(({ orderId, text }) => (
        <p key={orderId} className="text-sm">
          <Link to={`/dashboard/vendors/orders/${orderId}`} className="inline-flex min-h-11 items-center">
            {text}
          </Link>
        </p>
      ))}
      {offers.map((offer) => (
        <div key={offer.id} className="reorder-offer">
          <p className="text-sm text-soft tabular-nums">{offer.text}</p>
          <LinkButton to={newOrder(offer)} aria-label={`Order ${name}, ${offer.text}`}>
            Order it
          </LinkButton>
        </div>
      ))}
      {offers.length === 0 ? (
        <p className="text-sm text-soft">
          None of your suppliers has it.{' '}
          <Link to="/dashboard/vendors" className="inline-flex min-h-11 items-center">
            Add a product to a supplier
          </Link>
        </p>
      ) : null}
    </li>
  );
}

/** What is to be ordered soon; nothing when nothing is. */
export function ReorderList({ rows }: { rows: readonly ReorderRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="reorder-title">
      <h2 id="reorder-title" className="text-xl">
        To order
      </h2>
      <p className="mt-1 max-w-prose text-sm text-soft">
        From the doses your schedules plan and the vials you have, with 14 days for the parcel. The offer is
        the cheapest milligram among your suppliers’ products.
      </p>
      <ul className="sheet mt-3">
        {rows.map((row) => (
          <Row key={row.name} row={row} />
        ))}
      </ul>
    </section>
  );
}
