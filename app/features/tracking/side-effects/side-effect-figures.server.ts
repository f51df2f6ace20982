import { parseInput } from '#app/domain/forms/fields.ts';
import { periodSchema, type Period, type PeriodInput } from '#app/domain/forms/period.ts';
import {
  onsetHours,
  ONSET_WINDOW_HOURS,
  summariseByName,
  summariseEffects,
  type EffectStatistics,
  type NamedStatistics,
} from '#app/domain/tracking/side-effects.ts';
import { instantsOfDays, type InstantRange } from '#app/domain/time/zoned-time.ts';
import type { SideEffectRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';
import { DAY_MS, HOUR_MS } from '#app/domain/time/calendar.ts';

/** Figures of side effects, in all and by name. */
export interface SideEffectStats extends EffectStatistics {
  byName: NamedStatistics[];
}

/** The side effects of a period. */
export interface SideEffectReport {
  period: Period;
  stats: SideEffectStats;
  /** Oldest first; at most {@link MAX_REPORTED}. */
  sideEffects: SideEffectRecord[];
  /** More than are listed. */
  leftOut: number;
}

/** The most entries in one report; the export has all. */
export const MAX_REPORTED = 1000;

const EVER: InstantRange = { from: null, before: null };

async function statsOf(ctx: Ctx, ownerId: string, range: InstantRange): Promise<SideEffectStats> {
  const [effects, takenAt] = await Promise.all([
    ctx.repos.sideEffects.counted(ownerId, range),
    ctx.repos.takenDoses.takenTimes(ownerId, range.before ?? ctx.now()),
  ]);
  return { ...summariseEffects(effects, takenAt), byName: summariseByName(effects, takenAt) };
}

/** Figures of all side effects of the signed-in user. @throws AppError PREMIUM_REQUIRED */
export async function sideEffectStats(ctx: Ctx): Promise<SideEffectStats> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  return statsOf(ctx, user.id, EVER);
}

/**
 * The side effects that started on the days of a period, with their figures.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT for a period backwards or of more than 5 years, RATE_LIMITED while the
 * last one is still being written
 */
export async function sideEffectReport(ctx: Ctx, input: PeriodInput): Promise<SideEffectReport> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const period = parseInput(periodSchema, input);
  const range = instantsOfDays(period.start, period.end, ctx.timeZone);
  return heavyWork('report', user.id, async () => {
    const stats = await statsOf(ctx, user.id, range);
    const sideEffects: SideEffectRecord[] = [];
    for await (const batch of ctx.repos.sideEffects.stream(user.id, range)) {
      sideEffects.push(...batch.slice(0, MAX_REPORTED - sideEffects.length));
      if (sideEffects.length === MAX_REPORTED) break;
    }
    return { period, stats, sideEffects, leftOut: stats.count - sideEffects.length };
  });
}

/** Hours from the last dose before a side effect to its start; null when none was taken shortly before. */
export async function onsetOf(ctx: Ctx, effect: SideEffectRecord): Promise<number | null> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { startedAt } = effect;
  // A dose can be taken well before or after it was due.
  const slack = 2 * DAY_MS;
  const from = new Date(startedAt.getTime() - ONSET_WINDOW_HOURS * HOUR_MS - slack);
  const before = new Date(startedAt.getTime() + slack);
  return onsetHours(startedAt, await ctx.repos.takenDoses.takenTimes(user.id, before, from));
}
