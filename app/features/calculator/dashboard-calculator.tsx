import { Link } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { plural } from '#app/domain/text/plural.ts';
import { Notice } from '#app/ui/notice.tsx';
import { Figures } from '#app/ui/figure.tsx';
import { HistoryList } from './history-list.tsx';
import type {
  HistoryRow,
  HistorySort,
  UsageStatistics as Statistics,
} from '#app/domain/calculator/history.ts';
import { CalculatorScreen, type CalculatorScreenProps } from './calculator-screen.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';

interface DashboardCalculatorProps {
  page: Omit<CalculatorScreenProps, 'save'> & { saveMode: boolean; cancelHref: string };
  history: Omit<SavedCalculationsProps, 'path'> & { toggleHref: string };
  saveKey: string;
}

/** The calculator of a signed-in user, with saving and the history. */
export function DashboardCalculator({ page: requestedPage, history, saveKey }: DashboardCalculatorProps) {
  const { saveMode, cancelHref, ...page } = requestedPage;
  const { toggleHref, ...saved } = history;
  return (
    <>
      <PageTitle
        actions={<HistoryToggle shown={saved.list !== null} count={saved.count} href={toggleHref} />}
      >
        Reconstitution Calculator
      </PageTitle>
      <CalculatorScreen
        {...page}
        vialHref="/dashboard/vials/new"
        save={saveMode ? { kind: 'open', action: page.path, cancelHref, saveKey } : { kind: 'offer' }}
      />

      {saved.sessionOnly ? <SessionOnlyBanner /> : null}
      {saved.atLimit ? <FreeTierLimit count={saved.count} /> : null}
      {saved.statistics && saved.statistics.totalCalculations > 0 ? (
        <UsageStatistics
          total={saved.statistics.totalCalculations}
          uniqueNames={saved.statistics.uniqueCompounds}
          lastSevenDays={saved.statistics.lastSevenDays}
          averageConcentrationText={saved.statistics.averageConcentrationText}
        />
      ) : null}
      {saved.list ? (
        <HistoryList
          rows={saved.list.rows}
          filter={{
            action: `${page.path}#history`,
            search: saved.list.search,
            sort: saved.list.sort,
            keep: saved.list.keep,
          }}
          deleteHref={deleteHref}
          clearSearchHref={saved.list.clearHref}
          position={positionOf(saved.list)}
          previousHref={saved.list.previousHref ?? undefined}
          nextHref={saved.list.nextHref ?? undefined}
        />
      ) : null}
    </>
  );
}

interface SavedCalculationsProps {
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

/** Explains saving on the free plan before anything is saved. */
export function SessionOnlyBanner() {
  return (
    <div className="no-print mt-6">
      <Notice tone="info" role="note" title="Free Tier - Session Only">
        <p>
          Saved calculations are deleted when you sign out. <Link to="/upgrade">Premium keeps them</Link>,
          including those of this session.
        </p>
      </Notice>
    </div>
  );
}

/** Shown from ten saved calculations on. */
export function FreeTierLimit({ count }: { count: number }) {
  return (
    <div className="no-print mt-6">
      <Notice
        tone="warning"
        role="note"
        title="Free Tier Limit"
        actions={
          <LinkButton to="/upgrade" variant="primary">
            Upgrade
          </LinkButton>
        }
      >
        <p>{`You have saved ${plural(count, 'calculation')} in this session. They are deleted when it ends; Premium keeps them all.`}</p>
      </Notice>
    </div>
  );
}

interface UsageStatisticsProps {
  total: number;
  uniqueNames: number;
  lastSevenDays: number;
  /** mg/ml with 2 decimals; null without calculations. */
  averageConcentrationText: string | null;
}

export function UsageStatistics({
  total,
  uniqueNames,
  lastSevenDays,
  averageConcentrationText,
}: UsageStatisticsProps) {
  const figures = [
    { label: 'Total calculations', value: String(total) },
    { label: 'Unique compounds', value: String(uniqueNames) },
    { label: 'Last 7 days', value: String(lastSevenDays) },
    {
      label: 'Average concentration',
      value: averageConcentrationText ?? '–',
      unit: averageConcentrationText ? 'mg/ml' : undefined,
    },
  ];
  return (
    <section aria-labelledby="usage-title" className="mt-8">
      <h2 id="usage-title">Usage Statistics</h2>
      <Figures className="mt-3" figures={figures} />
    </section>
  );
}

interface HistoryToggleProps {
  shown: boolean;
  count: number;
  /** This page with the history shown, or hidden when it is shown. */
  href: string;
}

/** A link next to the title; nothing if there is no history. */
export function HistoryToggle({ shown, count, href }: HistoryToggleProps) {
  if (count === 0 && !shown) return null;
  return (
    <Link
      to={href}
      preventScrollReset
      className="inline-flex min-h-11 items-center font-semibold"
      aria-expanded={shown}
      aria-controls={shown ? 'history' : undefined}
    >
      {`${shown ? 'Hide' : 'Show'} History (${count})`}
    </Link>
  );
}
