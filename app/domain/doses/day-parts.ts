/** The parts of a day, in the order of its page. */
export const DAY_PARTS = ['night', 'morning', 'afternoon', 'evening'] as const;

export type DayPart = (typeof DAY_PARTS)[number];

export const DAY_PART_WORDS: Readonly<Record<DayPart, string>> = {
  night: 'Night',
  morning: 'Morning',
  afternoon: 'Afternoon',
  evening: 'Evening',
};

/** The part of the day of a time on the clock (HH:mm): night until 5, morning until noon, afternoon until 18. */
export function dayPartOf(time: string): DayPart {
  if (time < '05:00') return 'night';
  if (time < '12:00') return 'morning';
  return time < '18:00' ? 'afternoon' : 'evening';
}

/** Puts rows under their part of the day; parts without a row are left out, and the order of rows is kept. */
export function byDayPart<Row extends { time: string }>(
  rows: readonly Row[],
): { part: DayPart; rows: Row[] }[] {
  return DAY_PARTS.map((part) => ({
    part,
    rows: rows.filter(({ time }) => dayPartOf(time) === part),
  })).filter((group) => group.rows.length > 0);
}
