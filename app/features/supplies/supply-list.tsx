import { Link } from '@remix-run/react';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

/** A supply as text. */
interface SupplyRow {
  id: string;
  name: string;
  kind: string;
  level: 'unknown' | 'ok' | 'amber' | 'red';
  text: string;
  perInjection: number;
}

const BADGES: Readonly<Record<SupplyRow['level'], { tone: BadgeTone; text: string }>> = {
  unknown: { tone: 'soft', text: 'Unknown' },
  ok: { tone: 'good', text: 'Enough' },
  amber: { tone: 'warn', text: 'Low' },
  red: { tone: 'danger', text: 'Very low' },
};

/** The supplies that injections use up: what is left and how long it lasts. */
export function SupplyList({ rows }: { rows: readonly SupplyRow[] }) {
  if (rows.length === 0)
    return (
      <EmptyState
        level={2}
        title="No supplies yet"
        drawing="box"
        action={
          <LinkButton variant="primary" to="/dashboard/supplies/new">
            Add a supply
          </LinkButton>
        }
      >
        Count your syringes, needles and swabs once. Each dose you log uses them up, and you see when to
        reorder.
      </EmptyState>
    );
  return (
    <ul className="sheet">
      {rows.map(({ id, name, kind, level, text, perInjection }) => (
        <li key={id} className="entry grid gap-2">
          <div className="flex flex-wrap items-center gap-3">
            <h2 className="min-w-0">
              <Link
                to={`/dashboard/supplies/${id}`}
                className="inline-flex min-h-11 items-center wrap-anywhere"
              >
                {name}
              </Link>
            </h2>
            <Badge tone={BADGES[level].tone}>{BADGES[level].text}</Badge>
          </div>
          <p>{text}</p>
          <p className="text-sm text-soft">{`${kind}, ${perInjection} per injection`}</p>
        </li>
      ))}
    </ul>
  );
}
