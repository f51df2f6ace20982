import { minuteOfDay, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { AppError } from '#app/domain/errors.ts';
import {
  UNUSUAL_AMOUNTS,
  type AmountWarning,
  type UnusualAmountCode,
} from '#app/domain/doses/unusual-amounts.ts';
import {
  WEEKDAYS,
  type MonthDay,
  type ScheduleRule,
  type Weekday,
} from '#app/domain/schedules/schedule-rule.ts';
import { STOCK_WARNINGS, type StockWarning, type StockWarningCode } from '#app/domain/vials/plan-draws.ts';

/** The part of a schedule that its spacing depends on. */
export type SpacedPlan = Pick<ScheduleRule, 'frequency' | 'times'>;

const DAY_MINUTES = 24 * 60;

/** The smallest number of days from one of the week's chosen days to the next. */
function closestWeekdays(weekdays: readonly Weekday[]): number {
  const days = weekdays.map((day) => WEEKDAYS.indexOf(day)).sort((a, b) => a - b);
  const [first = 0] = days;
  return Math.min(...days.map((day, index) => (days[index + 1] ?? first + 7) - day));
}

/** The smallest number of days from the wanted day of one month to that of the next, February's last day included. */
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
 * The usual spacing of a schedule in minutes: the smallest gap between two consecutive doses. The smallest, so that
 * following the plan never counts as too soon.
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
 * True when a dose is less than half the usual spacing away from another taken dose of its name, before or after. Half,
 * so that a late dose does not raise a warning for the next one at its usual time.
 * @param at when it is taken
 * @param others when the doses before and after were taken; null when there is none
 * @param spacingMinutes of the schedule; null when unknown, so that nothing is too soon
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

/** Too soon after another one, and more on a day than a plan taken as needed allows without a question. */
const PACE_WARNINGS = ['TOO_SOON', 'OVER_DAILY_LIMIT'] as const;

/** Codes of warnings about logging a dose: its pace, stock, and an unusual amount. */
export const DOSE_WARNINGS = [...PACE_WARNINGS, ...STOCK_WARNINGS, ...UNUSUAL_AMOUNTS] as const;

export type DoseWarningCode = (typeof PACE_WARNINGS)[number] | StockWarningCode | UnusualAmountCode;

/** Codes that only pages ask about; every other door logs the dose and reports them. */
export const REPORTED_WARNINGS: readonly DoseWarningCode[] = [...PACE_WARNINGS, ...STOCK_WARNINGS];

/** Something to know before logging a dose. It never blocks: the second answer counts. */
export interface DoseWarning {
  readonly code: DoseWarningCode;
  readonly message: string;
}

/** Warnings that a page asks to confirm; it only shows the others. */
const ASKED: readonly DoseWarningCode[] = [...PACE_WARNINGS, 'PAST_DATE', 'OVER_DRAWN', ...UNUSUAL_AMOUNTS];

export const TOO_SOON: DoseWarning = {
  code: 'TOO_SOON',
  message: 'You logged this less than half the usual interval ago.',
};

/** The same about a smallest gap that a plan names. */
export const tooSoonAfter = (message: string): DoseWarning => ({ code: 'TOO_SOON', message });

export const overDailyLimit = (message: string): DoseWarning => ({ code: 'OVER_DAILY_LIMIT', message });

/** All warnings about logging a dose, each message once, the amount first. */
export function doseWarnings(
  pace: readonly DoseWarning[],
  stock: readonly StockWarning[],
  amount: readonly AmountWarning[],
): DoseWarning[] {
  const all = [...amount, ...pace, ...stock.map(({ code, message }) => ({ code, message }))];
  return all.filter(({ message }, index) => all.findIndex((one) => one.message === message) === index);
}

/** What a person has said yes to. */
export interface Confirmation {
  /** Codes of the warnings. */
  confirmed: readonly DoseWarningCode[];
  /** The amount that a page asked about; without it a yes to an unusual amount counts for whatever amount is sent. */
  confirmedAmount?: string | undefined;
}

/**
 * Codes that are confirmed for an amount. A page asked about the figure that stood in its form: when that was changed
 * since, the yes does not count for the new one.
 * @param key of the amount now
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

/** The question as an error, for doors that cannot show a form: the caller repeats what it sent, with its yes. */
export function confirmDoseError(warnings: readonly { code: string; message: string }[]): AppError {
  const message = warnings.map((warning) => warning.message).join(' ');
  return new AppError('CONFIRM_DOSE', message, { warnings });
}
