import { Link } from '@remix-run/react';
import { plural } from '#app/domain/text/plural.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';
import { When } from '#app/features/tracking/tracking-page.tsx';

/** A logged injection as texts. */
export interface SiteRow {
  id: string;
  /** ISO */
  takenAt: string;
  when: string;
  site: string;
  /** "BPC-157", "250 mcg", "0.1 ml", "pain 3 of 10" */
  facts: string[];
  notes: string | null;
  /** The page of the dose it belongs to; null for an entry that notes only the site. */
  dosePath: string | null;
}

interface SiteHistoryProps {
  rows: readonly SiteRow[];
  total: number;
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** The first page shows this many injections. The others are collapsed if there are at least WORTH_FOLDING of them. */
const OPEN_ROWS = 5;
const WORTH_FOLDING = 3;

/** Logged injections, newest first. The first page shows the newest and collapses the others. */
export function SiteHistory({ rows, total, ...pages }: SiteHistoryProps) {
  const isFolded = !pages.previousHref && rows.length >= OPEN_ROWS + WORTH_FOLDING;
  const open = isFolded ? rows.slice(0, OPEN_ROWS) : rows;
  const folded = rows.slice(open.length);
  const entries = (some: readonly SiteRow[]) => (
    <ol>
      {some.map((row) => {
        const at = `/dashboard/tracking/sites/${row.id}`;
        return (
          <li key={row.id} className="entry history-item">
            <When at={row.takenAt} shown={row.when} />
            <div className="history-body">
              <p className="font-semibold">{row.site}</p>
              {row.facts.length > 0 ? (
                <p className="entry-facts">
                  {row.facts.map((fact) => (
                    <span key={fact}>
                      <Measured text={fact} />
                    </span>
                  ))}
                </p>
              ) : null}
              {row.notes ? <p className="whitespace-pre-line">{row.notes}</p> : null}
              <p className="text-sm text-soft">
                {row.dosePath ? (
                  <Link to={row.dosePath}>Logged with a dose</Link>
                ) : (
                  'Site only, not counted as a dose'
                )}
              </p>
              <div className="no-print entry-actions">
                <Link to={at} className="btn btn-plain px-0" aria-label={`Edit ${row.site}, ${row.when}`}>
                  Edit
                </Link>
                <Link
                  to={`${at}/delete`}
                  className="btn btn-plain px-0 text-danger"
                  aria-label={`Delete ${row.site}, ${row.when}`}
                >
                  <Icon name="trash" size={16} />
                  Delete
                </Link>
              </div>
            </div>
          </li>
        );
      })}
    </ol>
  );
  return (
    <section aria-labelledby="site-history-title" id="history" className="mt-10 scroll-mt-4">
      <h2 id="site-history-title" className="text-2xl">
        {total > 0 ? `Injection history (${total})` : 'Injection history'}
      </h2>
      {rows.length > 0 ? (
        <div className="sheet mt-4">
          {entries(open)}
          {folded.length > 0 ? (
            <details className="earlier-rows">
              <summary>
                <Icon name="chevron" size={16} />
                {plural(folded.length, 'earlier injection')}
              </summary>
              {entries(folded)}
            </details>
          ) : null}
        </div>
      ) : (
        <EmptyState title="No injections yet" drawing="sites">
          Log the first one above. The map then shows how long each site has rested and which one to use next.
        </EmptyState>
      )}
      <Pagination label="Injection history" {...pages} />
    </section>
  );
}
