import {
  ADHERENCE_FORMULA,
  type Adherence,
  adherenceByWeek,
  adherenceOfAll,
  groupCounts,
  type AdherenceGroup,
  currentStreak,
} from '#app/domain/doses/adherence.ts';
import { fieldError } from '#app/domain/errors.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import {
  adherenceSchema,
  ADHERENCE_MESSAGES,
  MAX_PERIOD_DAYS,
  type AdherenceInput,
} from '#app/domain/doses/dose-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { partOn } from '#app/domain/schedules/plan-changes.ts';
import { calendarDay, daysBefore, daysBetween } from '#app/domain/time/zoned-time.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { premiumOwner } from '#app/platform/access/owner.server.ts';
import { repos } from './repositories.server.ts';

/** Maximum streak that is counted. */
const MAX_STREAK = 1000;

/** Default period: four weeks before the last day. */
const USUAL_DAYS = 28;

/** A group with the name people know it by. */
export interface NamedAdherence extends AdherenceGroup {
  name: string;
}

/** Adherence over a period, in total and by group. Doses that are not due yet are left out. */
export interface AdherenceReport {
  /** YYYY-MM-DD, both included. */
  startDate: string;
  endDate: string;
  formula: string;
  total: Adherence;
  /** Keys are the Mondays of the weeks. */
  weeks: AdherenceGroup[];
  /** Keys are schedule ids; '' for doses without one. */
  schedules: NamedAdherence[];
  /** Keys are normalised names; see `vialNameKey`. */
  compounds: NamedAdherence[];
  /** Doses taken in a row up to now, at most 1,000. */
  streak: number;
}

function periodOf(input: AdherenceInput, today: string): { first: string; last: string } {
  const { startDate, endDate } = parseInput(adherenceSchema, input);
  const last = endDate ?? today;
  const first = startDate ?? daysBefore(last, USUAL_DAYS);
  if (first > last) throw fieldError('endDate', ADHERENCE_MESSAGES.order);
  if (daysBetween(first, last) > MAX_PERIOD_DAYS) throw fieldError('startDate', ADHERENCE_MESSAGES.tooLong);
  return { first, last };
}

/** Adds the names of the schedules, or "Deleted schedule". */
async function withScheduleNames(
  ctx: Ctx,
  ownerId: string,
  groups: readonly AdherenceGroup[],
): Promise<NamedAdherence[]> {
  const name = async (id: string): Promise<string> => {
    if (id === '') return 'Without a schedule';
    const schedule = await repos(ctx).schedules.find(ownerId, id);
    if (schedule === null) return 'Deleted schedule';
    return partOn(schedule, calendarDay(ctx.now(), schedule.timeZone)).name;
  };
  return Promise.all(groups.map(async (group) => ({ ...group, name: await name(group.key) })));
}

/**
 * How closely the schedules were followed, by calendar days in each dose's own time zone; the last four weeks by default.
 * @param email the owner, when called from the terminal
 * @throws AppError INVALID_INPUT for a period that ends before it begins or is longer than a year, PREMIUM_REQUIRED
 */
export async function getAdherence(
  ctx: Ctx,
  input: AdherenceInput = {},
  email?: string,
): Promise<AdherenceReport> {
  const { id, timeZone } = await premiumOwner(ctx, 'dose.read', email);
  const now = ctx.now();
  const range = periodOf(input, calendarDay(now, timeZone));
  const { doses } = repos(ctx);
  const [byDay, bySchedule, byName, latest] = await Promise.all([
    doses.countBy(id, range, 'localDay', now),
    doses.countBy(id, range, 'scheduleId', now),
    doses.countBy(id, range, 'name', now),
    doses.latestStatuses(id, now, MAX_STREAK),
  ]);
  const spelled = new Map(byName.map(({ key }) => [vialNameKey(key), key]));
  return {
    startDate: range.first,
    endDate: range.last,
    formula: ADHERENCE_FORMULA,
    total: adherenceOfAll(byDay),
    weeks: adherenceByWeek(byDay),
    schedules: await withScheduleNames(ctx, id, groupCounts(bySchedule)),
    compounds: groupCounts(byName, vialNameKey).map((group) => ({
      ...group,
      name: spelled.get(group.key) ?? group.key,
    })),
    streak: currentStreak(latest),
  };
}
