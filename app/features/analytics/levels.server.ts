import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { amountUnder, isUnder } from '#app/domain/vials/contents.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import {
  findHalfLife,
  type HoursFigure,
  HALF_LIFE_MESSAGES,
  halfLifeSchema,
  type HalfLifeInput,
} from '#app/domain/analytics/half-lives.ts';
import {
  bandOf,
  levelCurve,
  type BandPoint,
  isFlipFlop,
  kineticsOf,
  type Kinetics,
  type ModelDose,
  thinOut,
} from '#app/domain/analytics/level-curve.ts';
import { daysAhead, fittingDays, LEVEL_DAYS, MOST_DAYS_AHEAD } from '#app/domain/analytics/periods.ts';
import type { WhatIfDose } from '#app/domain/analytics/what-if.ts';
import { fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { sourceLine } from '#app/domain/site/source.ts';
import { citedFactor } from '#app/domain/units/international-units.ts';
import { toBaseUnit } from '#app/domain/units/quantity.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { PlannedDoseRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { DAY_MS, HOUR_MS } from '#app/domain/time/calendar.ts';
import { repos } from './repositories.server.ts';

/** The most doses in a curve; no schedule has more. */
const MAX_DOSES = 20_000;

/** Doses older than this many half-lives are ignored: less than a thousandth is left. */
const FORGOTTEN_AFTER = 10;

/** Intervals that a curve is thinned out to; a screen shows no more. */
const COLUMNS = 240;

/** The half-life or peak time that a curve uses. */
export interface UsedHours {
  lowHours: number;
  highHours: number;
  source: string;
  /** What the source says. */
  finding: string;
  isConfirmed: boolean;
  isOwn: boolean;
}

/** A relative level, in per cent of the highest one in the chart. */
export interface LevelBand {
  name: string;
  halfLife: UsedHours;
  /** Null if unknown; the curve is then drawn without absorption. */
  peak: UsedHours | null;
  /** True if taken intravenously: the level peaks at once, whatever the peak time of a subcutaneous dose. */
  isBolus: boolean;
  /** True if absorption is slower than elimination for any peak and half-life within the band. */
  isFlipFlop: boolean;
  /** Instants in milliseconds; `low` and `high` differ if sources disagree. */
  points: BandPoint[];
  /** The same including the what-if doses; empty without any. */
  whatIf: BandPoint[];
  from: number;
  now: number;
  to: number;
  /** Length of the period up to now, in days. */
  days: number;
  /** The number of taken doses that the curve uses, and of all doses within the chart. */
  doses: number;
  shown: number;
}

const used = ({ lowHours, highHours, source }: HoursFigure): UsedHours => ({
  lowHours,
  highHours,
  source: sourceLine(source),
  finding: source.finding,
  isConfirmed: source.isConfirmed,
  isOwn: false,
});

const own = (hours: number, source: string | null): UsedHours => ({
  lowHours: hours,
  highHours: hours,
  source: source === null || source === '' ? 'Set by you' : `Set by you: ${source}`,
  finding: '',
  isConfirmed: true,
  isOwn: true,
});

/** The half-life and peak of a compound: the owner's values, else the built-in ones. */
async function timesOf(ctx: Ctx, ownerId: string, name: string) {
  const set = await repos(ctx).halfLives.find(ownerId, vialNameKey(name));
  const known = findHalfLife(name);
  const builtInPeak = known?.peak ?? null;
  return {
    halfLife: set?.hours != null ? own(set.hours, set.source) : known === null ? null : used(known.halfLife),
    peak:
      set?.peakHours != null
        ? own(set.peakHours, set.source)
        : builtInPeak === null
          ? null
          : used(builtInPeak),
  };
}

/** An intravenous dose has no absorption phase; everything else counts as subcutaneous. */
const isIntravenous = (route: string | null): boolean =>
  route !== null && /intraven|\biv\b|bolus/i.test(route);

const ends = ({ lowHours, highHours }: UsedHours): number[] => [...new Set([lowHours, highHours])];

/** The kinetics for each combination of half-life and peak, which bound the band. */
function kineticsOfAll(halfLife: UsedHours, peak: UsedHours | null): Kinetics[] {
  const peaks = peak === null ? [null] : ends(peak);
  return ends(halfLife).flatMap((hours) => peaks.map((at) => kineticsOf(hours, at)));
}

const slowestHours = (all: readonly Kinetics[]): number =>
  Math.max(...all.flatMap(({ halfLifeHours, absorptionHours }) => [halfLifeHours, absorptionHours ?? 0]));

/** Reads the owner's planned doses up to an instant. */
type ComingDoses = (to: Date) => Promise<PlannedDoseRecord[]>;

/**
 * Reads the signed-in user's planned doses for several curves, and shares one query between them.
 * @throws AppError PREMIUM_REQUIRED
 */
export function comingDoses(ctx: Ctx): ComingDoses {
  const { id } = authorisePremiumUser(ctx.actor, 'analytics.read');
  const now = ctx.now();
  const usual = new Date(now.getTime() + MOST_DAYS_AHEAD * DAY_MS);
  let shared: Promise<PlannedDoseRecord[]> | undefined;
  return async (to) => {
    // Only a what-if dose far ahead needs more.
    if (to > usual) return repos(ctx).doses.futureOf(id, now, to);
    shared ??= repos(ctx).doses.futureOf(id, now, usual);
    return (await shared).filter(({ dueDate }) => dueDate < to);
  };
}

async function dosesOf(
  ctx: Ctx,
  { ownerId, coming: comingUpTo }: CurveOf,
  name: string,
  { from, to }: { from: Date; to: Date },
) {
  const [taken, future] = await Promise.all([
    repos(ctx).analytics.takenOf(ownerId, vialNameKey(name), { from, before: ctx.now() }, MAX_DOSES),
    comingUpTo(to),
  ]);
  // A dose in IU has a mass only where a factor is cited; without one it is left out.
  const iuPerMg = citedFactor(name)?.iuPerMg;
  const asModel = (at: Date, text: string, unit: DoseUnit): ModelDose[] => {
    const amount = Number(toBaseUnit(text, unit).toFixed());
    if (unit !== 'IU') return [{ at: at.getTime(), amount }];
    return iuPerMg === undefined ? [] : [{ at: at.getTime(), amount: amount / Number(iuPerMg) }];
  };
  const key = vialNameKey(name);
  const coming = future.filter((dose) => isUnder(dose, key));
  return {
    route: taken.at(-1)?.route ?? coming[0]?.route ?? null,
    taken: taken.flatMap(({ takenAt, amount, unit }) => asModel(takenAt, amount, unit)),
    coming: coming.flatMap((dose) => asModel(dose.dueDate, amountUnder(dose, key), dose.doseUnit)),
  };
}

/** The owner of a curve, and their planned doses. */
interface CurveOf {
  ownerId: string;
  coming: ComingDoses;
}

/** The start and end of a chart, with the doses that affect it. */
async function pictureOf(
  ctx: Ctx,
  whose: CurveOf,
  name: string,
  { days, memory, extra }: { days: number; memory: number; extra: readonly ModelDose[] },
) {
  const now = ctx.now().getTime();
  const from = now - days * DAY_MS;
  // The chart extends beyond the last what-if dose, to show its effect.
  const last = Math.max(now, ...extra.map(({ at }) => at));
  const to = last + daysAhead(days) * DAY_MS;
  const found = await dosesOf(ctx, whose, name, { from: new Date(from - memory), to: new Date(to) });
  const shown = [...found.taken, ...found.coming, ...extra].filter(({ at }) => at >= from).length;
  return { ...found, days, now, from, to, shown };
}

/** The chart for the chosen period; without one, for the first that fits the compound and contains a dose. */
async function findPicture(
  ctx: Ctx,
  whose: CurveOf,
  name: string,
  { days, slowest, extra }: { days: number | null; slowest: number; extra: readonly ModelDose[] },
) {
  const memory = FORGOTTEN_AFTER * slowest * HOUR_MS;
  const fitting = fittingDays(slowest);
  const tried = days === null ? LEVEL_DAYS.filter((each) => each >= fitting) : [days];
  let picture = await pictureOf(ctx, whose, name, { days: tried[0] ?? fitting, memory, extra });
  for (const more of tried.slice(1)) {
    if (picture.shown > 0) break;
    picture = await pictureOf(ctx, whose, name, { days: more, memory, extra });
  }
  return picture;
}

/** The highest level of several curves. */
function highest(...curves: (readonly BandPoint[])[]): number {
  let most = -Infinity;
  for (const points of curves) for (const { high } of points) most = Math.max(most, high);
  return most;
}

/**
 * The relative level of one compound over recent and coming days: an illustration from published half-lives and peaks, not a
 * measurement.
 * @param days length of the period up to now; null for one that fits the compound
 * @param whatIf hypothetical doses to add; those of other compounds are ignored
 * @param comingUpTo shared by the curves of a page, see {@link comingDoses}
 * @returns null if no half-life is known or there are no doses
 * @throws AppError PREMIUM_REQUIRED
 */
export async function levelBand(
  ctx: Ctx,
  name: string,
  days: number | null,
  whatIf: readonly WhatIfDose[] = [],
  comingUpTo: ComingDoses = comingDoses(ctx),
): Promise<LevelBand | null> {
  const { id } = authorisePremiumUser(ctx.actor, 'analytics.read');
  const { halfLife, peak } = await timesOf(ctx, id, name);
  if (halfLife === null) return null;
  const extra = whatIf
    .filter((dose) => vialNameKey(dose.name) === vialNameKey(name))
    .map(({ at, mg }): ModelDose => ({ at, amount: mg }));
  const slowest = slowestHours(kineticsOfAll(halfLife, peak));
  const whose = { ownerId: id, coming: comingUpTo };
  const picture = await findPicture(ctx, whose, name, { days, slowest, extra });
  const { taken, coming, route, from, now, to, shown } = picture;
  if (taken.length === 0 && extra.length === 0) return null;
  const isBolus = isIntravenous(route);
  const all = kineticsOfAll(halfLife, isBolus ? null : peak);
  const band = (doses: readonly ModelDose[]): BandPoint[] =>
    bandOf(all.map((kinetics) => thinOut(levelCurve(doses, kinetics, from, to), from, to, COLUMNS)));
  const plain = band([...taken, ...coming]);
  const added = extra.length === 0 ? [] : band([...taken, ...coming, ...extra]);
  const most = highest(plain, added) || 1;
  const relative = (points: readonly BandPoint[]): BandPoint[] =>
    points.map(({ at, low, high }) => ({ at, low: (low / most) * 100, high: (high / most) * 100 }));
  const first = Math.min(...extra.map(({ at }) => at));
  return {
    name,
    halfLife,
    peak,
    isBolus,
    isFlipFlop: all.some(isFlipFlop),
    points: relative(plain),
    whatIf: relative(added).filter(({ at }) => at >= first),
    from,
    now,
    to,
    days: picture.days,
    doses: taken.length,
    shown,
  };
}

/**
 * Sets the half-life and peak time for the user's own curves of a compound. Omitted values are reset to the built-in ones.
 * @throws AppError PREMIUM_REQUIRED, INVALID_INPUT
 */
export async function setHalfLife(ctx: Ctx, input: HalfLifeInput): Promise<void> {
  const { id } = authorisePremiumUser(ctx.actor, 'analytics.read');
  const { name, hours, peakHours, source } = parseInput(halfLifeSchema, input);
  const nameKey = vialNameKey(name);
  if (hours === undefined && peakHours === undefined) return repos(ctx).halfLives.clear(id, nameKey);
  const halfLife = hours === undefined ? findHalfLife(name)?.halfLife.highHours : Number(hours);
  if (peakHours !== undefined && halfLife !== undefined && Number(peakHours) > 10 * halfLife)
    throw fieldError('peakHours', HALF_LIFE_MESSAGES.latePeak);
  await repos(ctx).halfLives.set(id, nameKey, {
    hours: hours === undefined ? null : Number(hours),
    peakHours: peakHours === undefined ? null : Number(peakHours),
    source: source === undefined || source === '' ? null : source,
  });
}
