import { DAY_MS } from '#app/domain/time/calendar.ts';
import { doseLine } from '#app/domain/doses/dose-line.ts';
import {
  drawLines,
  type DrawLine,
  type Listed,
  type Today,
  type TogetherLine,
} from '#app/domain/doses/draw-line.ts';
import { supplyText } from '#app/domain/supplies/supply.ts';
import type { StockForecast } from '#app/domain/vials/forecast.ts';
import { calendarDay, instantsOfDays, localDateTime } from '#app/domain/time/zoned-time.ts';
import { plannedWords } from '#app/domain/vials/contents.ts';
import { stageAt } from '#app/domain/reminders/reminder-stages.ts';
import { schedulesAtOnce, type DoseRecord, type PlannedDoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { pausedLines } from './dose-lists.server.ts';
import { listAsNeeded } from './as-needed.server.ts';
import { readBacks } from './read-back.server.ts';
import { getTravelZones } from '#app/features/schedules/index.server.ts';
import { stockAlerts, stockLevels } from '#app/features/vials/index.server.ts';
import { repos } from './repositories.server.ts';

/** Maximum number of rows in each list, so that the page doesn't grow with the number of schedules. */
const LIST_LIMITS = { earlier: 100, open: 100, done: 50, upcoming: 60, missed: 20 } as const;

/** Upcoming doses cover the next 7 days. */
const AHEAD_MS = 7 * DAY_MS;

function listed<A, B>(found: readonly A[], most: number, line: (found: readonly A[]) => B[]): Listed<B> {
  return { rows: line(found.slice(0, most)), more: found.length > most };
}

/** The pending doses of today and of the days ahead; one more of each than the page shows, so that it knows of more. */
async function listPending(
  ctx: Ctx,
  ownerId: string,
  { start, end, ahead }: { start: Date; end: Date; ahead: Date },
): Promise<{ todays: DoseRecord[]; upcoming: DoseRecord[] }> {
  const [ofToday, ofAhead] = [LIST_LIMITS.open + 1, LIST_LIMITS.upcoming + 1];
  const limit = ofToday + ofAhead;
  const found = await repos(ctx).doses.list(ownerId, {
    status: 'pending',
    from: start,
    before: ahead,
    limit,
  });
  const todays = found.filter(({ dueDate }) => dueDate < end);
  const upcoming = found.slice(todays.length);
  if (found.length < limit || upcoming.length >= ofAhead) return { todays, upcoming };
  // Today has so many doses that they crowded out those of the next days.
  const after = { status: 'pending', from: end, before: ahead, limit: ofAhead } as const;
  return { todays, upcoming: await repos(ctx).doses.list(ownerId, after) };
}

/** Whether a person changed the dose and has not undone it. */
const isLogged = ({ before }: DoseRecord): boolean => (before ?? null) !== null;

/** The doses that were taken in one act: they were logged at the same instant. */
function takenTogether(done: readonly DoseRecord[]): TogetherLine[] {
  const acts = new Map<number, DoseRecord[]>();
  for (const dose of done) {
    if (dose.status !== 'taken' || !dose.actedAt) continue;
    const at = dose.actedAt.getTime();
    acts.set(at, [...(acts.get(at) ?? []), dose]);
  }
  return [...acts.values()]
    .filter((doses) => doses.length > 1)
    .map((doses) => ({
      ids: doses.map(({ id }) => id),
      names: doses.map(({ name }) => name).join(', '),
    }));
}

/**
 * The signed-in user's Today page. Reads a bounded number of rows, however many doses and schedules there are.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function getToday(ctx: Ctx): Promise<Today> {
  const owner = await premiumOwner(ctx, 'dose.read');
  const { id, timeZone, syringe } = owner;
  const now = ctx.now();
  const day = calendarDay(now, timeZone);
  const { from, before } = instantsOfDays(day, day, timeZone);
  const [start, end] = [from ?? now, before ?? now];
  const { doses, schedules, vials: vialRows } = repos(ctx);
  const ago = new Date(now.getTime() - AHEAD_MS);
  const ahead = new Date(end.getTime() + AHEAD_MS);
  const [earlier, { todays, upcoming }, done, missed, vials, anySchedule, paused] = await Promise.all([
    // Read separately, so that a long list of earlier doses can't push out today's.
    doses.list(id, { status: 'pending', before: start, limit: LIST_LIMITS.earlier + 1 }),
    listPending(ctx, id, { start, end, ahead }),
    doses.actedSince(id, start, LIST_LIMITS.done + 1),
    doses.list(id, {
      status: 'missed',
      from: ago,
      before: now,
      limit: LIST_LIMITS.missed + 1,
      latestFirst: true,
    }),
    vialRows.listActive(id),
    schedules.list(id, 0, 1),
    pausedLines(ctx, id, day, day),
  ]);
  const plain = (found: readonly DoseRecord[]) => found.map((dose) => doseLine(dose, timeZone, now));
  const open = [...earlier.slice(0, LIST_LIMITS.earlier), ...todays.slice(0, LIST_LIMITS.open)];
  const readBackTexts = await readBacks(ctx, owner, open, vials);
  const asNeeded = await listAsNeeded(ctx, owner, vials);
  const byThemselves = missed.filter((dose) => (dose.before ?? null) === null);
  return {
    day,
    open: {
      rows: drawLines(open, vials, { timeZone, now, syringe, readBacks: readBackTexts }),
      more: earlier.length > LIST_LIMITS.earlier || todays.length > LIST_LIMITS.open,
    },
    done: {
      rows: plain(done.filter(isLogged).slice(0, LIST_LIMITS.done)),
      more: done.length > LIST_LIMITS.done,
    },
    together: takenTogether(done.filter(isLogged).slice(0, LIST_LIMITS.done)),
    upcoming: listed(upcoming, LIST_LIMITS.upcoming, plain),
    missed: listed(byThemselves, LIST_LIMITS.missed, plain),
    asNeeded,
    paused,
    hasSchedules: anySchedule.length > 0,
  };
}

/** How far ahead the calculator's page looks for a dose. */
const NEXT_DOSE_MS = DAY_MS;

/**
 * The signed-in user's first pending dose that is overdue or due within 24 hours, with what to draw for it; null if there
 * is none.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function findNextDose(ctx: Ctx): Promise<DrawLine | null> {
  const { id, timeZone, syringe } = await premiumOwner(ctx, 'dose.read');
  const now = ctx.now();
  const doses = await repos(ctx).doses.list(id, {
    status: 'pending',
    before: new Date(now.getTime() + NEXT_DOSE_MS),
    limit: 1,
  });
  if (doses.length === 0) return null;
  const [line] = drawLines(doses, await repos(ctx).vials.listActive(id), { timeZone, now, syringe });
  return line ?? null;
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
    repos(ctx).doses.list(id, { status: 'pending', from: end, before, limit: LIST_LIMITS.upcoming }),
    repos(ctx).vials.listActive(id),
  ]);
  const readBackTexts = await readBacks(ctx, owner, ahead, vials);
  return drawLines(ahead, vials, { timeZone, now, syringe, readBacks: readBackTexts });
}

/** With more schedules than this, the Today page has no stock forecast, because that reads every upcoming dose. */
const MAX_FORECAST_SCHEDULES = 100;

/** How long stock and supplies last, as the Today page shows them. */
export interface StockOfToday {
  forecasts: StockForecast[];
  supplies: { id: string; name: string; level: StockForecast['level']; text: string }[];
}

/**
 * How long the signed-in user's stock and supplies last, for the Today page.
 * @returns empty lists for a user with very many schedules
 * @throws AppError PREMIUM_REQUIRED
 */
export async function getStockForecasts(ctx: Ctx): Promise<StockOfToday> {
  const { id } = await premiumOwner(ctx, 'dose.read');
  const some = await repos(ctx).schedules.list(id, MAX_FORECAST_SCHEDULES, 1);
  if (some.length > 0) return { forecasts: [], supplies: [] };
  const { forecasts, supplies, day } = await stockLevels(ctx, id);
  const lines = supplies.map((forecast) => {
    const { id: supplyId, name } = forecast.supply;
    return { id: supplyId, name, level: forecast.level, text: supplyText(forecast, day) };
  });
  return { forecasts, supplies: lines };
}

/** A read-only context that reads an owner's schedules and vials only once. */
function readingOnce(ctx: Ctx, ownerId: string): Ctx {
  const { schedules, vials } = repos(ctx);
  let active: ReturnType<typeof vials.listActive> | undefined;
  const once = {
    schedules: { ...schedules, ...schedulesAtOnce(schedules, ownerId, MAX_FORECAST_SCHEDULES) },
    vials: {
      ...vials,
      listActive: (userId: string) =>
        userId === ownerId ? (active ??= vials.listActive(ownerId)) : vials.listActive(userId),
    },
  };
  return { ...ctx, repos: ctx.repos.with(once) };
}

/**
 * The signed-in user's Today page with everything on it.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function getTodayPage(ctx: Ctx) {
  const { id } = await premiumOwner(ctx, 'dose.read');
  const once = readingOnce(ctx, id);
  const [today, stock, travel] = await Promise.all([
    getToday(once),
    getStockForecasts(once),
    getTravelZones(once),
  ]);
  return { today, stock, travel };
}

/** A pending dose as widgets, sensors and the terminal show it. */
export interface SummaryDose {
  id: string;
  name: string;
  /** "250 mcg"; for a blend, each component: "BPC-157 250 mcg + TB-500 500 mcg". */
  amount: string;
  /** "2026-03-09 08:30" in its owner's zone. */
  due: string;
  dueDate: Date;
}

/** A dose that is due and not logged. */
export interface DueDose extends SummaryDose {
  /** It was due at least half an hour ago. */
  isOverdue: boolean;
}

/** The day in one small document, for widgets, sensors and shell prompts. */
export interface DaySummary {
  /** Today, YYYY-MM-DD in the owner's zone. */
  day: string;
  /** The first dose that is still to come; null when none is planned. */
  nextDose: SummaryDose | null;
  /** Doses that are due now, earliest first. */
  doses: DueDose[];
  /** How many of them are overdue. */
  overdue: number;
  /** Low stock, each with one sentence; `compoundId` is null if it concerns all vials of a compound. */
  lowStock: { name: string; compoundId: string | null; message: string }[];
}

/** How far back to look for due doses, in ms: as long as a dose can stay pending. */
const LOOK_BACK_MS = 8 * DAY_MS;

/**
 * An owner's next dose, the doses that are due now, and what runs low.
 * @param email the owner, when called from the terminal
 * @throws AppError NOT_FOUND, PREMIUM_REQUIRED
 */
export async function getDaySummary(ctx: Ctx, email?: string): Promise<DaySummary> {
  const { id: ownerId, timeZone } = await premiumOwner(ctx, 'reminder.read', email);
  const now = ctx.now();
  const justAfter = new Date(now.getTime() + 1);
  const [pending, [next], alerts] = await Promise.all([
    repos(ctx).doses.futureOf(ownerId, new Date(now.getTime() - LOOK_BACK_MS), justAfter),
    repos(ctx).doses.list(ownerId, { status: 'pending', from: justAfter, limit: 1 }),
    stockAlerts(ctx, ownerId),
  ]);
  const summary = (dose: PlannedDoseRecord): SummaryDose => ({
    id: dose.id,
    name: dose.name,
    amount: plannedWords(dose),
    due: localDateTime(dose.dueDate, timeZone),
    dueDate: dose.dueDate,
  });
  const doses = pending.map((dose) => ({
    ...summary(dose),
    isOverdue: stageAt(dose.dueDate, now) === 'overdue',
  }));
  return {
    day: calendarDay(now, timeZone),
    nextDose: next === undefined ? null : summary(next),
    doses,
    overdue: doses.filter(({ isOverdue }) => isOverdue).length,
    lowStock: alerts
      .filter(({ kind }) => kind === 'low')
      .map(({ name, compoundId, message }) => ({ name, compoundId, message })),
  };
}
