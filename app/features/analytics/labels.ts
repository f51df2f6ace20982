import { shownDay } from '#app/domain/time/calendar-day.ts';

/** The first and the last day of a chart as people read them; one where they are the same. */
export function endsOf(days: readonly string[]): string[] {
  const ends = [days[0], days.at(-1)].filter((day) => day !== undefined);
  return [...new Set(ends)].map(shownDay);
}
