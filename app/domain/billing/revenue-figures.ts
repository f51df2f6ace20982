import { calendarDay, dayAfter } from '../time/zoned-time.ts';

/** Counts of subscription events in a period, by kind. */
export interface EventCounts {
  created: number;
  canceled: number;
  paid: number;
  failed: number;
}

/** The same with the money received. */
export interface EventSums extends EventCounts {
  /** US cents, minus refunds. */
  cents: number;
}

const NOTHING: EventSums = { cents: 0, created: 0, canceled: 0, paid: 0, failed: 0 };

/** Adds up periods that do not overlap. */
export function addSums(stretches: readonly EventSums[]): EventSums {
  return stretches.reduce(
    (sum, { cents, created, canceled, paid, failed }) => ({
      cents: sum.cents + cents,
      created: sum.created + created,
      canceled: sum.canceled + canceled,
      paid: sum.paid + paid,
      failed: sum.failed + failed,
    }),
    NOTHING,
  );
}

/** Rates computed from subscription events: from 0 to 1, null where there is nothing to divide by. */
export interface SubscriptionRates {
  /** Cancellations in the period ÷ subscriptions at its start. */
  churn: number | null;
  /** Successful payments ÷ attempted payments. */
  paymentSuccess: number | null;
  /** Subscriptions at the start of the period: started before it, minus ended before it. */
  atStart: number;
}

const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/**
 * @param before counts of everything before the period
 * @param during counts in the period
 */
export function subscriptionRates(before: EventCounts, during: EventCounts): SubscriptionRates {
  const atStart = Math.max(0, before.created - before.canceled);
  return {
    atStart,
    churn: share(Math.min(during.canceled, atStart), atStart),
    paymentSuccess: share(during.paid, during.paid + during.failed),
  };
}

/** The last `count` calendar months (UTC, `YYYY-MM`) up to that of `now`, oldest first. */
export function lastMonths(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (count - 1 - index), 1));
    return month.toISOString().slice(0, 7);
  });
}

/** The first instant of a month. @param month `YYYY-MM` */
export function startOfMonth(month: string): Date {
  return new Date(`${month}-01T00:00:00.000Z`);
}

/** The calendar month (UTC, `YYYY-MM`) of an instant. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** The month after a month. @param month `YYYY-MM` */
export function nextMonth(month: string): string {
  const start = startOfMonth(month);
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)));
}

/** The day (UTC, `YYYY-MM-DD`) of an instant. */
export const dayOf = (at: Date): string => calendarDay(at, 'UTC');

/** The first instant of a day. @param day `YYYY-MM-DD` */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** The day after a day. @param day `YYYY-MM-DD` */
export const nextDay = (day: string): string => dayAfter(day, 1);

/** The periods from `first` up to but not including `end`, oldest first. */
function periodsUntil(first: string, end: string, next: (period: string) => string): string[] {
  const periods: string[] = [];
  for (let period = first; period < end; period = next(period)) periods.push(period);
  return periods;
}

/** The days from `first` up to but not including `end`, oldest first. */
export const daysUntil = (first: string, end: string): string[] => periodsUntil(first, end, nextDay);

/** The months from `first` up to but not including `end`, oldest first. */
export const monthsUntil = (first: string, end: string): string[] => periodsUntil(first, end, nextMonth);
