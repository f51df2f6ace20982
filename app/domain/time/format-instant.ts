/** An instant as people read it in a zone: "9 Mar 2026, 08:30". */
export function shownInstant(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    instant,
  );
}

/** The same with its zone, for people who compare it with logs and with others elsewhere: "9 Mar 2026, 08:30 UTC". */
export function shownInstantInZone(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone, timeZoneName: 'short' });
  const zone = parts.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return `${shownInstant(instant, timeZone)} ${zone}`;
}
