import { dayAfter, daysBetween } from '#app/domain/time/zoned-time.ts';
import type { Vial } from './vial.ts';

/** Days a reconstituted multi-dose vial may be used (USP <797>: 28 days after first entry). */
export const BEYOND_USE_DAYS = 28;

/** The badge turns amber this many days before the last day of use. */
export const EXPIRING_DAYS = 7;

type Dated = Pick<Vial, 'expirationDate' | 'reconstitutionDate'>;

/** The last day on which a vial may be used: the one stored, else 28 days after reconstitution; null when unknown. */
export function beyondUseDay({ expirationDate, reconstitutionDate }: Dated): string | null {
  if (expirationDate !== null) return expirationDate;
  return reconstitutionDate === null ? null : dayAfter(reconstitutionDate, BEYOND_USE_DAYS);
}

/** The last day of a vial that is reconstituted on a day: 28 days later, or the maker's date when that is earlier. */
export function beyondUseDayAfter(reconstitutionDay: string, expirationDate: string | null): string {
  const later = dayAfter(reconstitutionDay, BEYOND_USE_DAYS);
  return expirationDate !== null && expirationDate < later ? expirationDate : later;
}

/** True from the day after the last one on. */
export function isPastDate(vial: Dated, day: string): boolean {
  const last = beyondUseDay(vial);
  return last !== null && last < day;
}

/** How a vial's date looks from a day. */
export interface Expiry {
  /** `good`: over 7 days; `soon`: 7 or fewer, the last day included; `past`; `unknown` without a date. */
  readonly state: 'good' | 'soon' | 'past' | 'unknown';
  readonly lastDay: string | null;
  /** Whole days until the last one; 0 on it, below zero after it. */
  readonly daysLeft: number | null;
}

/** @param day the calendar day in the owner's zone */
export function expiryOf(vial: Dated, day: string): Expiry {
  const lastDay = beyondUseDay(vial);
  if (lastDay === null) return { state: 'unknown', lastDay, daysLeft: null };
  const daysLeft = daysBetween(day, lastDay);
  const state = daysLeft < 0 ? 'past' : daysLeft <= EXPIRING_DAYS ? 'soon' : 'good';
  return { state, lastDay, daysLeft };
}
