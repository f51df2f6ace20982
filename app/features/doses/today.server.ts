import { DAY_MS } from '#app/domain/time/durations.ts';
import { doseLine } from '#app/domain/doses/dose-line.ts';
import { drawLines, type DrawLine, type Listed, type Today } from '#app/domain/doses/draw-line.ts';
import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import type { DoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { readBacks } from './read-back.server.ts';
import { stockForecast } from '#app/features/vials/index.server.ts';

/** Rows that the page shows of each list, so that it doesn't grow with the number of schedules. */
const LIST_LIMITS = { open: 100, done: 50, upcoming: 60, missed: 20 } as const;

/** Upcoming doses cover the next 7 days. */
const AHEAD_MS = 7 * DAY_MS;

function listed<A, B>(found: readonly A[], most: number, line: (found: readonly A[]) => B[]): Listed<B> {
  return { rows: line(found.slice(0, most)), more: found.length > most };
}

/** Whether a person's last change of a dose stands: one that was undone is listed where it was before. */
const isLogged = ({ undoing, before }: DoseRecord): boolean => undoing !== true && (before ?? null) !== null;

/**
 * The signed-in user's Today page. Reads a bounded number of rows by index, however many doses and schedules there are.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function getToday(ctx: Ctx): Promise<Today> {
  const owner = await premiumOwner(ctx, 'dose.read');
  const { id, timeZone, syringe } = owner;
  const now = ctx.now();
  const day = calendarDay(now, timeZone);
  const { from, before } = instantsOfDays(day, day, timeZone);
  const [start, end] = [from ?? now, before ?? now];
  const { doses, schedules, compounds } = ctx.repos;
  const ago = new Date(now.getTime() - AHEAD_MS);
  const ahead = new Date(end.getTime() + AHEAD_MS);
  const [open, done, upcoming, missed, vials, anySchedule] = await Promise.all([
    doses.list(id, { status: 'pending', before: end, limit: LIST_LIMITS.open + 1 }),
    doses.actedSince(id, start, LIST_LIMITS.done + 1),
    doses.list(id, { status: 'pending', from: end, before: ahead, limit: LIST_LIMITS.upcoming + 1 }),
    doses.list(id, {
      status: 'missed',
      from: ago,
      before: now,
      limit: LIST_LIMITS.missed + 1,
      latestFirst: true,
    }),
    compounds.listActive(id),
    schedules.list(id, 0, 1),
  ]);
  const plain = (found: readonly DoseRecord[]) => found.map((dose) => doseLine(dose, timeZone, now));
  const said = await readBacks(ctx, owner, open.slice(0, LIST_LIMITS.open), vials);
  const byThemselves = missed.filter((dose) => (dose.before ?? null) === null);
  return {
    day,
    open: listed(open, LIST_LIMITS.open, (found) =>
      drawLines(found, vials, { timeZone, now, syringe, readBacks: said }),
    ),
    done: {
      rows: plain(done.filter(isLogged).slice(0, LIST_LIMITS.done)),
      more: done.length > LIST_LIMITS.done,
    },
    upcoming: listed(upcoming, LIST_LIMITS.upcoming, plain),
    missed: listed(byThemselves, LIST_LIMITS.missed, plain),
    hasSchedules: anySchedule.length > 0,
  };
}

/**
 * The signed-in user's doses of the next 7 days, with what to draw from the vials as they are now, for a device that
 * may be offline when they are due.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function listUpcomingDoses(ctx: Ctx): Promise<DrawLine[]> {
  const owner = await premiumOwner(ctx, 'dose.read');
  const { id, timeZone, syringe } = owner;
  const now = ctx.now();
  const day = calendarDay(now, timeZone);
  const end = instantsOfDays(day, day, timeZone).before ?? now;
  const before = new Date(end.getTime() + AHEAD_MS);
  const [ahead, vials] = await Promise.all([
    ctx.repos.doses.list(id, { status: 'pending', from: end, before, limit: LIST_LIMITS.upcoming }),
    ctx.repos.compounds.listActive(id),
  ]);
  const said = await readBacks(ctx, owner, ahead, vials);
  return drawLines(ahead, vials, { timeZone, now, syringe, readBacks: said });
}

/** With more schedules than this the Today page shows no stock forecast, since a forecast reads every upcoming dose. */
const MAX_FORECAST_SCHEDULES = 100;

/**
 * How long the signed-in user's stock lasts, for the Today page.
 * @returns an empty list for someone with very many schedules
 * @throws AppError PREMIUM_REQUIRED
 */
export async function getStockForecasts(ctx: Ctx): Promise<StockForecast[]> {
  const { id } = await premiumOwner(ctx, 'dose.read');
  const some = await ctx.repos.schedules.list(id, MAX_FORECAST_SCHEDULES, 1);
  return some.length > 0 ? [] : stockForecast(ctx, id);
}
