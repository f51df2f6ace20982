import type { Metric, UnitSystem } from '#app/domain/tracking/health-metrics.ts';
import { calendarDay, daysBefore, instantsOfDays } from '#app/domain/time/days.ts';
import type { MeasurementRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { readMeasures } from './measures.server.ts';

/** How one measure has gone. */
export interface Trend {
  metric: Metric;
  units: UnitSystem;
  /** Oldest first; at most {@link MAX_POINTS}, the latest. */
  measurements: MeasurementRecord[];
}

/** More points than a screen has pixels say nothing more. */
export const MAX_POINTS = 1000;

/**
 * The measurements of one measure over the last days.
 * @param days null for all of them
 * @returns null for a measure that there is not
 * @throws AppError PREMIUM_REQUIRED
 */
export async function measurementTrend(ctx: Ctx, key: string, days: number | null): Promise<Trend | null> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { metrics, units } = await readMeasures(ctx);
  const metric = metrics.find((known) => known.key === key);
  if (metric === undefined) return null;
  const today = calendarDay(ctx.now(), ctx.timeZone);
  const first = days === null ? null : daysBefore(today, days - 1);
  const selection = { metric: key, range: instantsOfDays(first, null, ctx.timeZone) };
  const latest = await ctx.repos.measurements.list(user.id, selection, { skip: 0, limit: MAX_POINTS });
  return { metric, units, measurements: latest.reverse() };
}

/** The last measurement of each measure that was ever measured, in the form's order. */
export async function latestMeasurements(ctx: Ctx): Promise<MeasurementRecord[]> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { metrics } = await readMeasures(ctx);
  return ctx.repos.measurements.latest(
    user.id,
    metrics.map(({ key }) => key),
  );
}
