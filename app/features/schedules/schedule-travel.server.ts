import { fieldError } from '#app/domain/errors.ts';
import { travelDoses, type TravelDose } from '#app/domain/schedules/travel.ts';
import { isTimeZone } from '#app/domain/time/zoned-time.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { changeSchedule } from './schedules.server.ts';
import { repos } from './repositories.server.ts';

/** What to do with a schedule in another time zone. */
export type TravelChoice = 'keep' | 'follow';

/** A schedule whose doses would be due at other instants in another time zone. */
export interface TravelQuestion {
  id: string;
  name: string;
  timeZone: string;
  /** True when its owner has already chosen to keep home time in this zone. */
  isKept: boolean;
  doses: TravelDose[];
}

/** @throws AppError INVALID_INPUT */
function requireTimeZone(zone: string): void {
  if (!isTimeZone(zone)) throw fieldError('zone', 'Choose a time zone from the list');
}

/**
 * The zones to compare a browser's time zone with: the profile's, and those of active schedules.
 * @returns each combination of zone and `keptIn` once, however many schedules there are
 */
export async function getTravelZones(ctx: Ctx) {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  const zones = await repos(ctx).schedules.listActiveZones(user.id);
  return { homeZone: user.timeZone, schedules: zones.map((zone) => ({ isActive: true, ...zone })) };
}

/**
 * The signed-in user's active schedules that could keep home time or follow local time in another time zone.
 * @param zone IANA name of the zone the user is in
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT
 */
export async function listTravelQuestions(ctx: Ctx, zone: string): Promise<TravelQuestion[]> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  requireTimeZone(zone);
  const active = await repos(ctx).schedules.listActive(user.id);
  return active.flatMap((schedule) => {
    const doses = travelDoses(schedule, zone, ctx.now());
    const { id, name, timeZone, keptIn } = schedule;
    return doses.length === 0 ? [] : [{ id, name, timeZone, isKept: keptIn === zone, doses }];
  });
}

/**
 * Applies the choices. A schedule that follows local time has its future doses recreated in the new time zone.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, CONFLICT
 */
export async function saveTravelChoices(
  ctx: Ctx,
  zone: string,
  choices: ReadonlyMap<string, TravelChoice>,
): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'schedule.manage');
  requireTimeZone(zone);
  for (const [id, choice] of choices) {
    if (choice === 'keep') await repos(ctx).schedules.set(user.id, id, { keptIn: zone });
    else if ((await repos(ctx).schedules.find(user.id, id)) !== null)
      await changeSchedule(ctx, user.id, id, ({ timeZone }) =>
        timeZone === zone ? null : { timeZone: zone, keptIn: null },
      );
  }
}
