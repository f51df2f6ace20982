import { FREE_HISTORY_HINT } from '#app/domain/billing/plans.ts';
import { historyRow, type HistoryRow } from '#app/domain/calculator/history-row.ts';
import type { UsageStatistics } from '#app/domain/calculator/usage-statistics.ts';
import type { SignedInUser, Ctx } from '#app/platform/access/context.server.ts';
import {
  calculationStatistics,
  countCalculations,
  listCalculations,
  type HistoryPage,
} from './history.server.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';

/** The saved calculations beside the calculator, as the address asks for them. */
export interface HistoryView {
  count: number;
  toggleHref: string;
  /** Saved calculations go with this session. */
  sessionOnly: boolean;
  /** The free tier's hint is due. */
  atLimit: boolean;
  statistics: UsageStatistics | null;
  /** Null while the history is hidden. */
  list:
    | (Omit<HistoryPage, 'items'> & {
        rows: HistoryRow[];
        keep: Record<string, string>;
        clearHref: string;
        previousHref: string | null;
        nextHref: string | null;
      })
    | null;
}

/** What of the address belongs to the list alone. */
const OWN = ['search', 'sort', 'page', 'cursor'];

async function readList(ctx: Ctx, path: string, search: URLSearchParams): Promise<HistoryView['list']> {
  const { items, ...list } = await listCalculations(
    ctx,
    Object.fromEntries(OWN.flatMap((name) => (search.has(name) ? [[name, search.get(name)]] : []))),
  );
  const turn = (cursor: string | null, page: number) =>
    cursor === null ? null : `${pageAddress(path, search, { cursor, page: String(page) })}#history`;
  const keep = [...search].filter(([name]) => !OWN.includes(name) && name !== 'dialog');
  return {
    ...list,
    rows: items.map((entry) => historyRow(entry, ctx.timeZone)),
    keep: Object.fromEntries(keep),
    clearHref: `${pageAddress(path, search, { search: null, page: null, cursor: null })}#history`,
    previousHref: turn(list.previous, list.page - 1),
    nextHref: turn(list.next, list.page + 1),
  };
}

/** Reads the history part of a calculator address. */
export async function readHistoryView(
  ctx: Ctx,
  user: SignedInUser,
  path: string,
  search: URLSearchParams,
): Promise<HistoryView> {
  const shown = search.get('history') === '1';
  const [count, list, statistics] = await Promise.all([
    countCalculations(ctx),
    shown ? readList(ctx, path, search) : null,
    shown ? calculationStatistics(ctx) : null,
  ]);
  const sessionOnly = !user.entitlement.isPremium;
  return {
    count,
    list,
    statistics,
    sessionOnly,
    atLimit: sessionOnly && count >= FREE_HISTORY_HINT,
    toggleHref: shown
      ? pageAddress(path, search, { history: null, search: null, sort: null, page: null, cursor: null })
      : `${pageAddress(path, search, { history: '1' })}#history`,
  };
}
