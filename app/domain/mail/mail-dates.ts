import { DateTime } from 'luxon';

/** An instant with the zone it is told in. */
export interface Moment {
  at: Date;
  /** IANA name of the reader's zone. */
  timeZone: string;
}

/** "1 March 2026, 14:05 (Europe/Berlin)". */
export function momentText({ at, timeZone }: Moment): string {
  return `${DateTime.fromJSDate(at, { zone: timeZone }).setLocale('en').toFormat('d LLLL yyyy, HH:mm')} (${timeZone})`;
}

/** "1 March 2026". */
export function dayText({ at, timeZone }: Moment): string {
  return DateTime.fromJSDate(at, { zone: timeZone }).setLocale('en').toFormat('d LLLL yyyy');
}

/** "$5.00", from US cents. */
export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
