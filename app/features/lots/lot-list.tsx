import { Link } from '@remix-run/react';
import type { LotRow } from '#app/domain/lots/lot-texts.ts';
import { Badge } from '#app/ui/badge.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';

interface LotListProps {
  rows: readonly LotRow[];
  pages: { position?: string; previousHref?: string; nextHref?: string };
}

/** All lots, newest first. */
export function LotList({ rows, pages }: LotListProps) {
  if (rows.length === 0)
    return (
      <EmptyState
        level={2}
        title="No lots yet"
        drawing="box"
        action={
          <LinkButton variant="primary" to="/dashboard/lots/new">
            Add a lot
          </LinkButton>
        }
      >
        Enter a lot number on a vial and the lot appears here. Keep its certificate, and find every dose that
        came from it.
      </EmptyState>
    );
  return (
    <>
      <ul className="sheet mt-4">
        {rows.map((row) => {
          const facts = [
            ['Vials', row.vials],
            ['Left', row.left],
            ['Supplier', row.supplier],
            ['Expires', row.expires],
          ] as const;
          return (
            <li key={row.id} className="entry vial-item">
              <div className="flex flex-wrap items-center gap-3">
                <h2 className="min-w-0">
                  <Link
                    to={`/dashboard/lots/${row.id}`}
                    className="inline-flex min-h-11 items-center wrap-anywhere"
                  >{`${row.number}, ${row.product}`}</Link>
                </h2>
                <LotBadges row={row} />
              </div>
              <dl className="vial-facts">
                {facts.map(([label, text]) =>
                  text === null ? null : (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd className="wrap-anywhere">{text}</dd>
                    </div>
                  ),
                )}
              </dl>
            </li>
          );
        })}
      </ul>
      <Pagination label="Lots" {...pages} />
    </>
  );
}

/** Badges for a lot's expiry and certificate. */
export function LotBadges({ row }: { row: Pick<LotRow, 'isPast' | 'isSoon' | 'hasCertificate'> }) {
  return (
    <>
      {row.isPast ? <Badge tone="danger">Expired</Badge> : null}
      {row.isSoon ? <Badge tone="warn">Expires soon</Badge> : null}
      {row.hasCertificate ? (
        <Badge tone="good">Certificate</Badge>
      ) : (
        <Badge tone="soft">No certificate</Badge>
      )}
    </>
  );
}
