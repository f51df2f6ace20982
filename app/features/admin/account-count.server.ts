import {
  addFigures,
  changeOf,
  NO_FIGURES,
  standingOf,
  type AccountFigures,
} from '#app/domain/admin/account-standing.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import type { AccountToCount, CountedAccount } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { repos } from './repositories.server.ts';

/** How many accounts are counted in one transaction, so that other requests are served in between. */
const BATCH = 500;

/** How often all accounts are counted from scratch. */
const RECOUNT_MS = 7 * DAY_MS;

const isSame = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime();
const isNothing = ({ total, premium, active }: AccountFigures) =>
  total === 0 && premium === 0 && active === 0;

/**
 * Counts accounts anew, and adds the differences to the figures.
 * @param counted what they counted for
 * @returns what they count for now
 */
async function settle(
  ctx: Ctx,
  accounts: readonly AccountToCount[],
  counted: readonly CountedAccount[],
): Promise<AccountFigures> {
  const now = ctx.now();
  const existing = new Map(accounts.map((account) => [account.id, account]));
  const before = new Map(counted.map((row) => [row.userId, row]));
  const results = [...new Set([...existing.keys(), ...before.keys()])].map((userId) => {
    const account = existing.get(userId);
    const earlier = before.get(userId);
    const standing = account === undefined ? null : standingOf(account, now);
    const figures = standing?.figures ?? NO_FIGURES;
    const change = changeOf(earlier?.figures ?? NO_FIGURES, figures);
    const next = standing && { figures, checkAt: standing.changesAt };
    const isKnown =
      next !== null && earlier !== undefined && isNothing(change) && isSame(earlier.checkAt, next.checkAt);
    return { userId, figures, change, next, isKnown };
  });
  const { accountStandings, adminFigures } = repos(ctx);
  await accountStandings.replace(results.filter(({ isKnown }) => !isKnown));
  await adminFigures.add(results.filter(({ change }) => !isNothing(change)));
  return addFigures(results.map(({ figures }) => figures));
}

/** Counts the next accounts of a recount from scratch. @returns whether more are left */
const recountSome = (ctx: Ctx, batch: number): Promise<boolean> =>
  ctx.transaction(async () => {
    const { accountStandings, adminFigures, userCounts } = repos(ctx);
    const recount = (await adminFigures.find())?.recount ?? null;
    if (recount === null) return false;
    const accounts = await userCounts.listAfter(recount.after, batch);
    const last = accounts.length < batch ? null : (accounts.at(-1)?.id ?? null);
    const counted = await settle(ctx, accounts, await accountStandings.listBetween(recount.after, last));
    if (last === null) await adminFigures.endRecount(addFigures([recount, counted]), ctx.now());
    else await adminFigures.advanceRecount(last, counted);
    return last !== null;
  });

/** Counts some of the accounts that are due. @returns how many; null when none is */
async function countSome(ctx: Ctx, batch: number): Promise<number | null> {
  const { accountStandings, userCounts } = repos(ctx);
  const now = ctx.now();
  const due = await accountStandings.listDue(now, batch);
  if (due.length === 0) return null;
  return ctx.transaction(async () => {
    // Another worker may have counted them meanwhile.
    const counted = await accountStandings.findDue(due, now);
    await settle(ctx, await userCounts.findThese(counted.map(({ userId }) => userId)), counted);
    return counted.length;
  });
}

/**
 * Keeps the overview's figures: counts the accounts that an act has changed since they were last counted, and those that time
 * alone has. Once a week, and when asked to by a migration, it counts all of them from scratch. A job of the worker; any number
 * of workers may run it.
 * @param batch how many accounts are counted in one transaction
 * @returns how many accounts had to be counted, besides a count from scratch
 */
export async function countAccounts(ctx: Ctx, stopping?: AbortSignal, batch = BATCH): Promise<number> {
  authorise(ctx.actor, 'admin.count');
  const { adminFigures } = repos(ctx);
  const figures = await adminFigures.find();
  const isOld = (at: Date | null) => at === null || ctx.now().getTime() - at.getTime() >= RECOUNT_MS;
  if (figures === null || (figures.recount === null && isOld(figures.recountedAt)))
    await adminFigures.beginRecount();
  let counted = 0;
  let isRecounting = true;
  while (stopping?.aborted !== true) {
    isRecounting &&= await recountSome(ctx, batch);
    const some = await countSome(ctx, batch);
    if (some === null && !isRecounting) break;
    counted += some ?? 0;
  }
  return counted;
}
