import { vialNameKey } from '#app/domain/vials/vial.ts';
import { findHalfLife } from '#app/domain/analytics/half-lives.ts';
import { levelCurve, type LevelPoint } from '#app/domain/analytics/level-curve.ts';
import { SUBCUTANEOUS_ABSORPTION_HOURS, type ModelDose } from '#app/domain/analytics/kinetics.ts';
import { thinOut } from '#app/domain/analytics/downsample-curve.ts';
import { halfLifeSchema, type HalfLifeInput } from '#app/domain/analytics/half-life-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { DAY_MS, HOUR_MS } from '#app/domain/time/durations.ts';

/** The most doses of one compound in a curve; no schedule has more. */
const MAX_DOSES = 20_000;

/** Doses older than this many half-lives are ignored: less than a thousandth is left. */
const FORGOTTEN_AFTER = 10;

/** The curve continues for a week beyond today, with the upcoming doses. */
const AHEAD_DAYS = 7;

/** Points of a curve: a screen shows no more. */
const COLUMNS = 240;

const MAX_HALF_LIVES = 500;

/** The half-life that a curve uses. */
export interface UsedHalfLife {
  lowHours: number;
  highHours: number;
  source: string;
  isOwn: boolean;
}

/** A relative level, in per cent of the highest one in the picture. */
export interface LevelBand {
  name: string;
  halfLife: UsedHalfLife;
  absorptionHours: number | null;
  /** Instants in milliseconds; `low` and `high` differ where sources disagree. */
  points: { at: number; low: number; high: number }[];
  from: number;
  now: number;
  to: number;
  doses: number;
}

async function halfLifeOf(ctx: Ctx, ownerId: string, name: string): Promise<UsedHalfLife | null> {
  const own = (await ctx.repos.halfLives.listOf(ownerId, MAX_HALF_LIVES)).get(vialNameKey(name));
  if (own !== undefined) return { lowHours: own, highHours: own, source: 'Set by you', isOwn: true };
  const known = findHalfLife(name);
  return (
    known && { lowHours: known.lowHours, highHours: known.highHours, source: known.source, isOwn: false }
  );
}

/** An intravenous dose has no absorption phase; everything else counts as subcutaneous. */
const isBolus = (route: string | null): boolean => route !== null && /intraven|\biv\b|bolus/i.test(route);

/** Both curves on the instants of either, each with its last level. */
function banded(low: LevelPoint[], high: LevelPoint[]): { at: number; low: number; high: number }[] {
  const instants = [...new Set([...low, ...high].map(({ at }) => at))].sort((a, b) => a - b);
  const reader = (points: LevelPoint[]) => {
    let place = 0;
    return (at: number) => {
      while ((points[place + 1]?.at ?? Infinity) <= at) place += 1;
      return points[place]?.level ?? 0;
    };
  };
  const [lowAt, highAt] = [reader(low), reader(high)];
  return instants.map((at) => {
    const [a, b] = [lowAt(at), highAt(at)];
    return { at, low: Math.min(a, b), high: Math.max(a, b) };
  });
}

async function dosesOf(ctx: Ctx, ownerId: string, name: string, from: Date, to: Date) {
  const now = ctx.now();
  const [taken, future] = await Promise.all([
    ctx.repos.analytics.takenOf(ownerId, vialNameKey(name), { from, before: now }, MAX_DOSES),
    ctx.repos.doses.futureOf(ownerId, now, to),
  ]);
  const asModel = (at: Date, amount: string, unit: 'mg' | 'mcg'): ModelDose => {
    return { at: at.getTime(), amount: Number(massInMg(amount, unit).toFixed()) };
  };
  const coming = future.filter((dose) => vialNameKey(dose.name) === vialNameKey(name));
  return {
    route: taken.at(-1)?.route ?? coming[0]?.route ?? null,
    taken: taken.map(({ takenAt, amount, unit }) => asModel(takenAt, amount, unit)),
    coming: coming.map(({ dueDate, doseAmount, doseUnit }) => asModel(dueDate, doseAmount, doseUnit)),
  };
}

/**
 * The relative level of one compound over the last days and a week ahead: an illustration from half-lives, not a
 * measurement.
 * @param days up to now
 * @returns null when no half-life is known, or there are no doses
 * @throws AppError PREMIUM_REQUIRED
 */
export async function levelBand(ctx: Ctx, name: string, days: number): Promise<LevelBand | null> {
  const { id } = authorisePremiumUser(ctx.actor, 'analytics.read');
  const halfLife = await halfLifeOf(ctx, id, name);
  if (halfLife === null) return null;
  const now = ctx.now().getTime();
  const [from, to] = [now - days * DAY_MS, now + AHEAD_DAYS * DAY_MS];
  const memory = FORGOTTEN_AFTER * (halfLife.highHours + SUBCUTANEOUS_ABSORPTION_HOURS) * HOUR_MS;
  const { taken, coming, route } = await dosesOf(ctx, id, name, new Date(from - memory), new Date(to));
  if (taken.length === 0) return null;
  const absorptionHours = isBolus(route) ? null : SUBCUTANEOUS_ABSORPTION_HOURS;
  const doses = [...taken, ...coming];
  const curve = (halfLifeHours: number) =>
    thinOut(levelCurve(doses, { halfLifeHours, absorptionHours }, from, to), from, to, COLUMNS);
  const low = curve(halfLife.lowHours);
  const same = halfLife.lowHours === halfLife.highHours;
  const points = same
    ? low.map(({ at, level }) => ({ at, low: level, high: level }))
    : banded(low, curve(halfLife.highHours));
  const most = Math.max(...points.map(({ high }) => high)) || 1;
  const share = (level: number) => (level / most) * 100;
  const relative = points.map((point) => ({ at: point.at, low: share(point.low), high: share(point.high) }));
  return { name, halfLife, absorptionHours, points: relative, from, now, to, doses: taken.length };
}

/**
 * Sets the half-life for the owner's curves of a compound; without hours, the built-in one is used again.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT
 */
export async function setHalfLife(ctx: Ctx, input: HalfLifeInput): Promise<void> {
  const { id } = authorisePremiumUser(ctx.actor, 'analytics.read');
  const { name, hours } = parseInput(halfLifeSchema, input);
  if (hours === undefined) await ctx.repos.halfLives.clear(id, vialNameKey(name));
  else await ctx.repos.halfLives.set(id, vialNameKey(name), Number(hours));
}
