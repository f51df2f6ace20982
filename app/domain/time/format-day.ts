const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A calendar day as people read it: "9 Mar 2026". @param day YYYY-MM-DD */
export function shownDay(day: string): string {
  return FORMAT.format(new Date(`${day}T00:00:00Z`));
}

/** "1 day", "12 days". */
export function countDays(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'}`;
}
