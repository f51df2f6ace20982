const FORMAT: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };

/** An instant on this device's clock: "22 Nov 2026, 08:04". */
export function shownMoment(at: string | number): string {
  return new Intl.DateTimeFormat('en-GB', FORMAT).format(new Date(at));
}
