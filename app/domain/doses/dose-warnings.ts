import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { minuteOfDay, MINUTE_MS, HOUR_MS } from '#app/domain/time/calendar.ts';
import { AppError, type CodedWarning } from '#app/domain/errors.ts';
import {
  WEEKDAYS,
  type MonthDay,
  type ScheduleRule,
  type Weekday,
  type AsNeeded,
} from '#app/domain/schedules/schedule-rule.ts';
import { STOCK_WARNINGS, type StockWarning, type StockWarningCode } from '#app/domain/vials/stock.ts';
import { DateTime } from 'luxon';
import { durationText } from './dose-line.ts';
import { plural } from '#app/domain/text/plural.ts';
import { calendarDay, instantsOfDays } from '#app/domain/time/zoned-time.ts';
import { compare, Decimal, ratio, type Ratio } from '#app/domain/decimal/decimal.ts';
import type { Slip } from '#app/domain/units/meant-mcg.ts';
import {
  substanceUnitOf,
  type SubstanceUnit,
  type SyringeChoice,
} from '#app/domain/calculator/calculation.ts';
import type { Container } from '#app/domain/calculator/nearest-mark.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { fromBaseUnit, toBaseUnit, ratioFigure, unitsOf, unitsText } from '#app/domain/units/quantity.ts';

/** The parts of a schedule that decide how far apart its doses are. */
export type SpacedPlan = Pick<ScheduleRule, 'frequency' | 'times'>;

const DAY_MINUTES = 24 * 60;

/** The smallest number of days between two of the chosen weekdays. */
function closestWeekdays(weekdays: readonly Weekday[]): number {
  const days = weekdays.map((day) => WEEKDAYS.indexOf(day)).sort((a, b) => a - b);
  const [first = 0] = days;
  return Math.min(...days.map((day, index) => (days[index + 1] ?? first + 7) - day));
}

/** The smallest number of days between the chosen day of two consecutive months; February may use its last day. */
function closestMonthDays(day: MonthDay): number {
  return day === 29 || day === 30 ? 29 : 28;
}

/** The smallest number of days between two days with doses; null when there is only one such day. */
function closestDays({ frequency }: SpacedPlan): number | null {
  switch (frequency.kind) {
    case 'daily':
      return 1;
    case 'weekdays':
      return closestWeekdays(frequency.weekdays);
    case 'interval':
      return frequency.every;
    case 'cycle':
      return frequency.on > 1 ? 1 : 1 + frequency.off;
    case 'monthly':
      return closestMonthDays(frequency.day);
    case 'once':
    case 'after-last':
    case 'as-needed':
      return null;
  }
}

/**
 * The usual spacing of a schedule in minutes: the smallest gap between two consecutive doses, so that following the
 * schedule never counts as too soon.
 * @returns null for a single dose
 */
export function usualSpacingMinutes(plan: SpacedPlan): number | null {
  if (plan.frequency.kind === 'after-last') return plan.frequency.everyHours * 60;
  const minutes = plan.times.map(minuteOfDay).sort((a, b) => a - b);
  const gaps = minutes.slice(1).map((minute, index) => minute - (minutes[index] ?? 0));
  const days = closestDays(plan);
  const [first = 0] = minutes;
  if (days !== null) gaps.push(days * DAY_MINUTES - ((minutes.at(-1) ?? 0) - first));
  return gaps.length === 0 ? null : Math.min(...gaps);
}

/**
 * True when a dose is less than half the usual spacing before or after another taken dose of the same name. Half the
 * spacing, so that after a late dose the next one at its usual time does not raise a warning.
 * @param at when it is taken
 * @param others when the doses before and after were taken; null where there is none
 * @param spacingMinutes of the schedule; null if unknown, in which case nothing is too soon
 */
export function isTooSoon(
  at: Date,
  others: readonly (Date | null)[],
  spacingMinutes: number | null,
): boolean {
  if (spacingMinutes === null) return false;
  const halfMs = (spacingMinutes * MINUTE_MS) / 2;
  return others.some((other) => other !== null && Math.abs(at.getTime() - other.getTime()) < halfMs);
}

/** The other taken doses of a compound around the time an as-needed dose is taken. */
export interface TakenAround {
  /** When the nearest doses before and after were taken; null where there is none. */
  readonly before: Date | null;
  readonly after: Date | null;
  /** How many were taken on the same calendar day. */
  readonly onDay: number;
}

/** "13:20", or with the day if it is a different one: "24 Nov, 13:20". */
function clockText(at: Date, from: Date, timeZone: string): string {
  const local = DateTime.fromJSDate(at, { zone: timeZone }).setLocale('en-GB');
  return local.toFormat(calendarDay(at, timeZone) === calendarDay(from, timeZone) ? 'HH:mm' : 'd LLL, HH:mm');
}

/**
 * The questions to ask before an as-needed dose: it is too close to another dose for its schedule, or it exceeds the
 * daily maximum. Exactly at the end of the gap is not too soon.
 * @param timeZone the owner's, for the days and times in the messages
 */
export function asNeededWarnings(
  { minGapHours, maxPerDay }: AsNeeded,
  at: Date,
  { before, after, onDay }: TakenAround,
  timeZone: string,
): DoseWarning[] {
  const gapMs = (minGapHours ?? 0) * HOUR_MS;
  const gap = plural(minGapHours ?? 0, 'hour');
  const time = (moment: Date) => clockText(moment, at, timeZone);
  const found: DoseWarning[] = [];
  if (before !== null && at.getTime() - before.getTime() < gapMs)
    found.push(
      tooSoonAfter(
        `The last one was taken at ${time(before)}. Your schedule leaves at least ${gap} between doses, so the next one is from ${time(new Date(before.getTime() + gapMs))}.`,
      ),
    );
  if (after !== null && after.getTime() - at.getTime() < gapMs)
    found.push(
      tooSoonAfter(
        `Another one was taken at ${time(after)}. Your schedule leaves at least ${gap} between doses.`,
      ),
    );
  if (maxPerDay !== undefined && onDay >= maxPerDay)
    found.push(
      overDailyLimit(
        `Your schedule has at most ${plural(maxPerDay, 'dose')} a day. This would be number ${onDay + 1}.`,
      ),
    );
  return found;
}

/**
 * When the next dose can be taken without a question: after the minimum gap, and on the next day once the daily maximum is
 * reached. Null when that is now.
 */
export function nextFrom(
  { minGapHours, maxPerDay }: AsNeeded,
  now: Date,
  { before, onDay }: TakenAround,
  timeZone: string,
): Date | null {
  const day = calendarDay(now, timeZone);
  const tomorrow = instantsOfDays(day, day, timeZone).before ?? now;
  const ends = [
    before === null ? 0 : before.getTime() + (minGapHours ?? 0) * HOUR_MS,
    maxPerDay !== undefined && onDay >= maxPerDay ? tomorrow.getTime() : 0,
  ];
  const latest = Math.max(...ends);
  return latest > now.getTime() ? new Date(latest) : null;
}

/** "Last taken 5 h ago, next from 13:20 · 2 of 3 today" */
export function asNeededText(rule: AsNeeded, now: Date, around: TakenAround, timeZone: string): string {
  const { before, onDay } = around;
  const next = nextFrom(rule, now, around, timeZone);
  const ago = before === null ? 0 : Math.floor((now.getTime() - before.getTime()) / MINUTE_MS);
  const last =
    before === null
      ? 'Not taken yet'
      : ago < 1
        ? 'Last taken just now'
        : `Last taken ${durationText(ago)} ago`;
  const sentence = next === null ? last : `${last}, next from ${clockText(next, now, timeZone)}`;
  return rule.maxPerDay === undefined ? sentence : `${sentence} · ${onDay} of ${rule.maxPerDay} today`;
}

/** Why an amount has to be confirmed before it is saved. */
export const UNUSUAL_AMOUNTS = [
  'ABOVE_PLAN',
  'BELOW_PLAN',
  'ABOVE_CEILING',
  'ABOVE_VIAL',
  'OTHER_MEASURE',
] as const;

export type UnusualAmountCode = (typeof UNUSUAL_AMOUNTS)[number];

/** A question about an amount, in words and figures. */
export interface AmountWarning {
  readonly code: UnusualAmountCode;
  readonly message: string;
  /** For an amount beside a usual one: what pages ask, and what they offer instead. */
  readonly slip?: Slip;
}

/** Decimal text with its unit. */
export interface Amount {
  readonly text: string;
  readonly unit: DoseUnit;
}

/** What an amount is compared with: the plan, or earlier doses. */
export interface UsualAmounts {
  readonly kind: 'plan' | 'earlier';
  /** Any of them counts as usual. For `earlier`: the last doses, newest first. */
  readonly amounts: readonly Amount[];
}

/** The most an owner wants to take of a compound; null where no limit is set. Decimal text in `unit`. */
export interface Ceiling {
  readonly unit: DoseUnit;
  readonly perDose: string | null;
  readonly perDay: string | null;
  readonly per7Days: string | null;
}

/** Other doses of the compound in the same measure. Decimal text in mg or IU. */
export interface TakenNearby {
  readonly sameDayMg: string;
  /** The highest total of any seven consecutive days that include the dose. */
  readonly weekMg: string;
}

/** Everything that decides whether an amount is unusual. Unknown values are null. */
export interface AmountSetting {
  readonly usual: UsualAmounts | null;
  readonly ceiling: Ceiling | null;
  readonly taken: TakenNearby;
  /** mg or IU left in the vials the dose would be drawn from. */
  readonly leftMg: string | null;
  /** Concentration of the vial it would be drawn from. */
  readonly strength: Ratio<'mg/ml'> | null;
  /** What the owner draws with. */
  readonly syringe: SyringeChoice;
  /** The container it would be drawn from; a vial when absent. */
  readonly container?: Container | undefined;
}

/**
 * An amount of at least `times` or at most `part` of the usual amount is asked about. An amount of at least `vialTimes`
 * what is left in the vial is a slip, not a vial that is running out.
 */
export const UNUSUAL_LIMITS = { times: 2, part: 0.5, vialTimes: 10 } as const;

const UNUSUAL_FACTOR = /* @__PURE__ */ ratio<'times'>(/* @__PURE__ */ new Decimal(UNUSUAL_LIMITS.times));
const UNUSUAL_PART = /* @__PURE__ */ ratio<'times'>(/* @__PURE__ */ new Decimal(UNUSUAL_LIMITS.part));
const VIAL_FACTOR = /* @__PURE__ */ new Decimal(UNUSUAL_LIMITS.vialTimes);

/** How many of the last doses count as usual when there is no plan. */
export const USUAL_DOSES = 3;

const mgOf = ({ text, unit }: Amount): Decimal => toBaseUnit(text, unit);

const measureOf = ({ unit }: Pick<Amount, 'unit'>): SubstanceUnit => substanceUnitOf(unit);

const timesOf = (amount: Amount, other: Amount): Ratio<'times'> => ratio(mgOf(amount), mgOf(other));

const isUnusual = (times: Ratio<'times'>): boolean =>
  compare(times, UNUSUAL_FACTOR) >= 0 || compare(times, UNUSUAL_PART) <= 0;

const inverse = ({ n, d }: Ratio<'times'>): Ratio<'times'> => ({ n: d, d: n });

const isAbove = ({ n, d }: Ratio<'times'>): boolean => n > d;

/** How far from 1, in either direction. */
const distance = (times: Ratio<'times'>): Ratio<'times'> => (isAbove(times) ? times : inverse(times));

/** "10 × your planned" and "1/10 of your planned". */
function timesWords(times: Ratio<'times'>, what: string): string {
  if (isAbove(times)) return `${ratioFigure(times)} × ${what}`;
  const parts = inverse(times);
  return parts.n % parts.d === 0n
    ? `1/${figureText(String(parts.n / parts.d))} of ${what}`
    : `${ratioFigure(times)} × ${what}`;
}

const amountWords = ({ text, unit }: Amount): string => `${figureText(text)} ${unit}`;

/** The amount, with the other amount's unit in brackets if it differs: "2.5 mg (2,500 mcg)". */
function amountBeside(amount: Amount, other: Amount): string {
  if (amount.unit === other.unit) return amountWords(amount);
  if (measureOf(amount) !== measureOf(other)) return amountWords(amount);
  return `${amountWords(amount)} (${figureText(fromBaseUnit(mgOf(amount), other.unit).toFixed())} ${other.unit})`;
}

/** ": 100 units instead of 10"; empty if the strength is unknown or the units are the same. */
function drawWords(amount: Amount, usual: Amount, setting: AmountSetting): string {
  const { strength, syringe, container } = setting;
  if (strength === null) return '';
  const units = (one: Amount) => unitsOf(mgOf(one), strength, syringe, container);
  const [now, then] = [units(amount), units(usual)];
  return now === then ? '' : `: ${unitsText(now, syringe, container)} instead of ${figureText(then)}`;
}

/** "10 times your planned dose: 100 units, not 10"; amounts where the strength is unknown. */
function slipOf(amount: Amount, usual: UsualAmounts, nearest: Amount, setting: AmountSetting): Slip {
  const { strength, syringe, container } = setting;
  const times = timesOf(amount, nearest);
  const part = inverse(times);
  const factor =
    isAbove(times) || part.n % part.d !== 0n
      ? `${ratioFigure(times)} times`
      : `1/${figureText(String(part.n / part.d))} of`;
  const [typed, intended] = [amountWords(amount), amountWords(nearest)];
  const [now, then] = [amount, nearest].map((one) =>
    strength === null ? null : unitsOf(mgOf(one), strength, syringe, container),
  );
  const figures =
    now === null || now === undefined || then === null || then === undefined || now === then
      ? `${typed}, not ${intended}`
      : `${unitsText(now, syringe, container)}, not ${figureText(then)}`;
  return { words: `${factor} ${USUAL_WORDS[usual.kind]} dose: ${figures}`, typed, meant: intended };
}

const USUAL_WORDS = { plan: 'your planned', earlier: 'your usual' } as const;

function nearestOf(amount: Amount, usual: readonly Amount[]): Amount | null {
  let nearest: Amount | null = null;
  for (const one of usual) {
    if (mgOf(one).lte(0) || measureOf(one) !== measureOf(amount)) continue;
    const isNearer =
      nearest === null || compare(distance(timesOf(amount, one)), distance(timesOf(amount, nearest))) < 0;
    if (isNearer) nearest = one;
  }
  return nearest;
}

/** The median of the last three doses, so that one unusual dose does not become the norm; of fewer, the last one. */
export function medianAmount(amounts: readonly Amount[]): Amount | null {
  const last = amounts.slice(0, USUAL_DOSES);
  if (last.length < USUAL_DOSES) return last[0] ?? null;
  return [...last].sort((a, b) => mgOf(a).cmp(mgOf(b)))[Math.floor(USUAL_DOSES / 2)] ?? null;
}

/** The question about an amount in IU where everything else is in mg, or the reverse. @param what "your planned dose of 2 mg" */
const otherMeasure = (amount: Amount, what: string): AmountWarning => ({
  code: 'OTHER_MEASURE',
  message: `${amountWords(amount)} can’t be compared with ${what}: IU are an activity, mg and mcg a mass. The marks of a syringe are units, not IU.`,
});

/**
 * The question about an amount that is at least twice or at most half of the usual one.
 */
function againstUsual(amount: Amount, setting: AmountSetting): AmountWarning[] {
  const { usual } = setting;
  if (usual === null) return [];
  const alike = usual.amounts.filter((one) => measureOf(one) === measureOf(amount));
  const [other] = usual.amounts;
  if (alike.length === 0 && other !== undefined)
    return [otherMeasure(amount, `${USUAL_WORDS[usual.kind]} dose of ${amountWords(other)}`)];
  const middle = usual.kind === 'earlier' ? medianAmount(alike) : null;
  const nearest = usual.kind === 'earlier' ? middle : nearestOf(amount, usual.amounts);
  if (nearest === null || mgOf(nearest).lte(0)) return [];
  const times = timesOf(amount, nearest);
  if (!isUnusual(times)) return [];
  const words = timesWords(times, `${USUAL_WORDS[usual.kind]} ${amountWords(nearest)}`);
  const message = `${amountBeside(amount, nearest)} is ${words}${drawWords(amount, nearest, setting)}.`;
  const code = isAbove(times) ? 'ABOVE_PLAN' : 'BELOW_PLAN';
  return [{ code, message, slip: slipOf(amount, usual, nearest, setting) }];
}

function againstCeiling(amount: Amount, { ceiling, taken }: AmountSetting): AmountWarning[] {
  if (ceiling === null) return [];
  const { unit, perDose, perDay, per7Days } = ceiling;
  if (measureOf(amount) !== measureOf(ceiling))
    return [otherMeasure(amount, `your limit, which is in ${unit}`)];
  const mg = mgOf(amount);
  const isOver = (limit: string | null, sum: Decimal): limit is string =>
    limit !== null && sum.gt(toBaseUnit(limit, unit));
  const inUnit = (sum: Decimal) => `${figureText(fromBaseUnit(sum, unit).toFixed())} ${unit}`;
  const most = (limit: string) => amountWords({ text: limit, unit });
  const day = mg.plus(taken.sameDayMg);
  const week = mg.plus(taken.weekMg);
  const messages = [
    ...(isOver(perDose, mg)
      ? [`${amountBeside(amount, { text: '1', unit })} is more than your limit of ${most(perDose)} a dose.`]
      : []),
    ...(isOver(perDay, day)
      ? [
          `This dose brings that day’s total to ${inUnit(day)}, more than your limit of ${most(perDay)} a day.`,
        ]
      : []),
    ...(isOver(per7Days, week)
      ? [
          `This dose brings the 7-day total to ${inUnit(week)}, more than your limit of ${most(per7Days)} in 7 days.`,
        ]
      : []),
  ];
  return messages.map((message) => ({ code: 'ABOVE_CEILING' as const, message }));
}

function againstVial(amount: Amount, { leftMg }: AmountSetting): AmountWarning[] {
  const left = leftMg === null ? null : new Decimal(leftMg);
  if (left === null || left.lte(0) || mgOf(amount).lt(left.times(VIAL_FACTOR))) return [];
  const times = ratio<'times'>(mgOf(amount), left);
  const unit = measureOf(amount);
  const message = `${amountBeside(amount, { text: '1', unit })} is ${ratioFigure(times)} × the ${figureText(left.toFixed())} ${unit} left in the vial.`;
  return [{ code: 'ABOVE_VIAL', message }];
}

/**
 * The single rule for amounts that are probably a slip (tenfold, thousandfold, units for milligrams): at least twice or at
 * most half of the planned amount or, without a plan, of the median of the last three doses; in IU where those are in mg, or the
 * reverse; more than the owner's own ceiling; at least ten times what the vial holds. Pages, API and terminal all ask; none of them refuses.
 */
export function amountWarnings(amount: Amount, setting: AmountSetting): AmountWarning[] {
  if (mgOf(amount).lte(0)) return [];
  return [
    ...againstUsual(amount, setting),
    ...againstCeiling(amount, setting),
    ...againstVial(amount, setting),
  ];
}

/** Identifies a confirmation: it counts for this amount of this compound and no other. */
export function amountKey(name: string, { text, unit }: Amount): string {
  return `${name.trim()} ${new Decimal(text).toFixed()} ${unit}`;
}

/** A dose taken at another time, for the totals that ceilings are compared with. */
export interface TakenAmount extends Amount {
  /** Calendar day YYYY-MM-DD in the owner's zone. */
  readonly day: string;
}

/** Days since 1970 of a calendar day. */
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;

/**
 * Totals of other doses in the same measure around a day. Weeks may end after the day, because a dose can be logged late.
 * @param unit of the dose
 */
export function takenNearby(day: string, unit: DoseUnit, others: readonly TakenAmount[]): TakenNearby {
  const own = dayNumber(day);
  const sumOf = (first: number, last: number): Decimal =>
    others
      .filter((other) => measureOf(other) === substanceUnitOf(unit))
      .filter((other) => dayNumber(other.day) >= first && dayNumber(other.day) <= last)
      .reduce((sum, other) => sum.plus(mgOf(other)), new Decimal(0));
  const weeks = [0, 1, 2, 3, 4, 5, 6].map((ahead) => sumOf(own - 6 + ahead, own + ahead));
  const week = weeks.reduce((most, sum) => (sum.gt(most) ? sum : most));
  return { sameDayMg: sumOf(own, own).toFixed(), weekMg: week.toFixed() };
}

/** A schedule's amounts: one dose, or a ramp from the first dose to the last. */
export interface PlannedAmounts {
  readonly doseAmount: string;
  readonly doseUnit: DoseUnit;
  readonly ramp: { readonly start: string; readonly step: string; readonly target: string } | null;
}

/** A ramp whose last dose is this many times its first is asked about; labels of approved medicines stay below this. */
const RAMP_FACTOR = /* @__PURE__ */ ratio<'times'>(/* @__PURE__ */ new Decimal(10));

/** The question about a ramp whose first step or total change is so large that a figure is probably wrong. */
export function rampWarnings({ doseUnit: unit, ramp }: PlannedAmounts): AmountWarning[] {
  if (ramp === null) return [];
  const start = new Decimal(ramp.start);
  const target = new Decimal(ramp.target);
  if (start.lte(0) || target.lte(0)) return [];
  const next = start.plus(ramp.step);
  const isPast = new Decimal(ramp.step).gt(0) ? next.gt(target) : next.lt(target);
  const second = isPast ? target : next;
  const words = (text: Decimal) => `${figureText(text.toFixed())} ${unit}`;
  const step = ratio<'times'>(second, start);
  const way = ratio<'times'>(target, start);
  const warning = (times: Ratio<'times'>, message: string): AmountWarning => ({
    code: isAbove(times) ? 'ABOVE_PLAN' : 'BELOW_PLAN',
    message,
  });
  const found: AmountWarning[] = [];
  if (compare(distance(step), UNUSUAL_FACTOR) > 0)
    found.push(
      warning(
        step,
        `The first change goes from ${words(start)} to ${words(second)}, which is ${timesWords(step, 'the first dose')}.`,
      ),
    );
  else if (compare(distance(way), RAMP_FACTOR) >= 0)
    found.push(
      warning(
        way,
        `The last dose of ${words(target)} is ${timesWords(way, `the first dose of ${words(start)}`)}.`,
      ),
    );
  return found;
}

/** The amounts of a plan: its dose, or both ends of its ramp. */
export function amountsOf({ doseAmount, doseUnit: unit, ramp }: PlannedAmounts): Amount[] {
  const texts = ramp === null ? [doseAmount] : [ramp.start, ramp.target];
  return texts.filter((text) => text !== '').map((text) => ({ text, unit }));
}

/** Identifies the confirmation of a plan's amounts. */
export function planKey(name: string, plan: PlannedAmounts): string {
  const texts = plan.ramp === null ? [plan.doseAmount] : [plan.ramp.start, plan.ramp.step, plan.ramp.target];
  return `${name.trim()} ${texts.map((text) => new Decimal(text).toFixed()).join(' ')} ${plan.doseUnit}`;
}

/** Too soon after another dose, and more in a day than an as-needed schedule allows without a question. */
const PACE_WARNINGS = ['TOO_SOON', 'OVER_DAILY_LIMIT'] as const;

/** Codes of the warnings about logging a dose: timing, stock and unusual amounts. */
export const DOSE_WARNINGS = [...PACE_WARNINGS, ...STOCK_WARNINGS, ...UNUSUAL_AMOUNTS] as const;

type DoseWarningCode = (typeof PACE_WARNINGS)[number] | StockWarningCode | UnusualAmountCode;

/** Warnings that only pages ask to confirm; the API and the terminal log the dose and report them. */
export const REPORTED_WARNINGS: readonly DoseWarningCode[] = [...PACE_WARNINGS, ...STOCK_WARNINGS];

/** Something to know before logging a dose. It never blocks: a confirmed dose is logged. */
export interface DoseWarning {
  readonly code: DoseWarningCode;
  readonly message: string;
  readonly slip?: Slip;
}

/** Warnings that a page asks to confirm; it only displays the others. */
const ASKED: readonly DoseWarningCode[] = [...PACE_WARNINGS, 'PAST_DATE', 'OVER_DRAWN', ...UNUSUAL_AMOUNTS];

/**
 * The question about a dose that is less than half the usual spacing before or after another one; null when it is not.
 * @param at when it is taken
 * @param around when the nearest taken doses of the same name were taken; null where there is none
 * @param spacingMinutes as for `isTooSoon`
 */
export function tooSoonWarning(
  at: Date,
  { before, after }: Pick<TakenAround, 'before' | 'after'>,
  spacingMinutes: number | null,
): DoseWarning | null {
  const apart = (other: Date) =>
    durationText(Math.floor(Math.abs(at.getTime() - other.getTime()) / MINUTE_MS));
  if (before !== null && isTooSoon(at, [before], spacingMinutes))
    return tooSoonAfter(`Your last dose was ${apart(before)} earlier.`);
  if (after !== null && isTooSoon(at, [after], spacingMinutes))
    return tooSoonAfter(`Another dose was taken ${apart(after)} later.`);
  return null;
}

const tooSoonAfter = (message: string): DoseWarning => ({ code: 'TOO_SOON', message });

const overDailyLimit = (message: string): DoseWarning => ({ code: 'OVER_DAILY_LIMIT', message });

/** All warnings about logging a dose, without repeated messages, amounts first. */
export function doseWarnings(
  pace: readonly DoseWarning[],
  stock: readonly StockWarning[],
  amount: readonly AmountWarning[],
): DoseWarning[] {
  const all = [...amount, ...pace, ...stock.map(({ code, message }) => ({ code, message }))];
  return all.filter(({ message }, index) => all.findIndex((one) => one.message === message) === index);
}

/** What a person has confirmed. */
export interface Confirmation {
  /** Codes of the warnings. */
  confirmed: readonly DoseWarningCode[];
  /** The amount that a page asked about; without it, the confirmation counts for whatever amount is sent. */
  confirmedAmount?: string | undefined;
}

/**
 * The codes confirmed for an amount. A page asks about the amount in its form, so after that amount was edited the
 * confirmation does not count.
 * @param key of the current amount
 */
export function confirmedCodes({ confirmed, confirmedAmount }: Confirmation, key: string): DoseWarningCode[] {
  const isAnother = confirmedAmount !== undefined && confirmedAmount !== key;
  return confirmed.filter((code) => !(isAnother && UNUSUAL_AMOUNTS.some((unusual) => unusual === code)));
}

/**
 * Warnings that still need confirming before a dose is logged.
 * @param confirmed codes the person has accepted
 */
export function unconfirmed(
  warnings: readonly DoseWarning[],
  confirmed: readonly DoseWarningCode[],
): DoseWarning[] {
  return warnings.filter(({ code }) => ASKED.includes(code) && !confirmed.includes(code));
}

/** The question as an error, for callers without a form: they send the same again with a confirmation. */
export function confirmDoseError(warnings: readonly CodedWarning[]): AppError {
  const message = warnings.map((warning) => warning.message).join(' ');
  return new AppError('CONFIRM_DOSE', message, { warnings });
}
