/** To make a format takes as long as to use it a hundred times; a page has one zone. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Zones whose formats are kept at once. */
const MOST_FORMATS = 100;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** An instant as people read it in a zone: "9 Mar 2026, 08:30". */
export function shownInstant(instant: Date, timeZone: string): string {
  return formatOf(timeZone).format(instant);
}

/** The same with its zone, for people who compare it with logs and with others elsewhere: "9 Mar 2026, 08:30 UTC". */
export function shownInstantInZone(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone, timeZoneName: 'short' });
  const zone = parts.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
  return `${shownInstant(instant, timeZone)} ${zone}`;
}
