import { FreeTierLimit, SessionOnlyBanner } from '#app/features/calculator/history/free-tier.tsx';
import { HistoryList } from '#app/features/calculator/history/history-list.tsx';
import { UsageStatistics } from '#app/features/calculator/history/usage-statistics.tsx';
import type {
  HistoryRow,
  HistorySort,
  UsageStatistics as Statistics,
} from '#app/domain/calculator/history.ts';

export interface SavedCalculationsProps {
  /** The page that holds the list. */
  path: string;
  count: number;
  sessionOnly: boolean;
  atLimit: boolean;
  statistics: Statistics | null;
  list: {
    rows: readonly HistoryRow[];
    search: string;
    sort: HistorySort;
    page: number;
    pages: number;
    total: number;
    limit: number;
    keep: Readonly<Record<string, string>>;
    clearHref: string;
    previousHref: string | null;
    nextHref: string | null;
  } | null;
}

const deleteHref = (id: string) => `/dashboard/calculations/${id}/delete`;

/** "21–40 of 53" */
function positionOf({ page, limit, total, rows }: NonNullable<SavedCalculationsProps['list']>): string {
  const first = (page - 1) * limit + 1;
  return `${first}–${first + rows.length - 1} of ${total}`;
}

/** What is under the calculator: what saving means on this plan, the history when it is open, its statistics. */
export function SavedCalculations({
  path,
  count,
  sessionOnly,
  atLimit,
  statistics,
  list,
}: SavedCalculationsProps) {
  return (
    <>
      {sessionOnly ? <SessionOnlyBanner /> : null}
      {atLimit ? <FreeTierLimit count={count} /> : null}
      {list ? (
        <HistoryList
          rows={list.rows}
          filter={{ action: `${path}#history`, search: list.search, sort: list.sort, keep: list.keep }}
          deleteHref={deleteHref}
          clearSearchHref={list.clearHref}
          position={positionOf(list)}
          previousHref={list.previousHref ?? undefined}
          nextHref={list.nextHref ?? undefined}
        />
      ) : null}
      {statistics && statistics.totalCalculations > 0 ? (
        <UsageStatistics
          total={statistics.totalCalculations}
          uniqueNames={statistics.uniqueCompounds}
          lastSevenDays={statistics.lastSevenDays}
          averageConcentrationText={statistics.averageConcentrationText}
        />
      ) : null}
    </>
  );
}
