import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Pagination } from '#app/ui/pagination.tsx';
import { HistoryFilter, type HistoryFilterProps } from './history-filter.tsx';
import { HistoryItem } from './history-item.tsx';
import type { HistoryRow } from '#app/domain/calculator/history.ts';

export interface HistoryListProps {
  rows: readonly HistoryRow[];
  filter: HistoryFilterProps;
  /** The page that asks before deleting. */
  deleteHref: (id: string) => string;
  /** The list without the search. */
  clearSearchHref: string;
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

function Nothing({ search, clearSearchHref }: { search: string; clearSearchHref: string }) {
  if (search) {
    return (
      <EmptyState title="No match" action={<LinkButton to={clearSearchHref}>Show all</LinkButton>}>
        {`No saved calculation has “${search}” in its name or notes.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No calculations yet" action={<LinkButton to="#calculator">Start one</LinkButton>}>
      Save a result and it is kept here with its date, so that the next draw from the same vial needs no
      typing.
    </EmptyState>
  );
}

/** Saved calculations: search, sort, entries, pages. */
export function HistoryList({ rows, filter, deleteHref, clearSearchHref, ...pages }: HistoryListProps) {
  const searching = filter.search !== '';
  return (
    <section aria-labelledby="history-title" id="history" className="mt-8 scroll-mt-4">
      <h2 id="history-title" tabIndex={-1} className="text-2xl">
        Calculation history
      </h2>
      {rows.length > 0 || searching ? <HistoryFilter {...filter} /> : null}
      {rows.length > 0 ? (
        <ol className="sheet mt-4">
          {rows.map((row) => (
            <HistoryItem key={row.id} row={row} deleteHref={deleteHref(row.id)} />
          ))}
        </ol>
      ) : (
        <Nothing search={filter.search} clearSearchHref={clearSearchHref} />
      )}
      <Pagination label="Saved calculations" {...pages} />
    </section>
  );
}
