/** An instant as people read it in a zone: "9 Mar 2026, 08:30". */
export function shownInstant(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    instant,
  );
}
