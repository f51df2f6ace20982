/** The parts of a day, in order. */
export const DAY_PARTS = ['night', 'morning', 'afternoon', 'evening'] as const;

export type DayPart = (typeof DAY_PARTS)[number];

export const DAY_PART_LABELS: Readonly<Record<DayPart, string>> = {
  night: 'Night',
  morning: 'Morning',
  afternoon: 'Afternoon',
  evening: 'Evening',
};

/** The part of the day of a time (HH:mm): night until 5, morning until noon, afternoon until 18. */
export function dayPartOf(time: string): DayPart {
  if (time < '05:00') return 'night';
  if (time < '12:00') return 'morning';
  return time < '18:00' ? 'afternoon' : 'evening';
}

/** Groups rows by their part of the day; empty parts are left out, and rows keep their order. */
export function byDayPart<Row extends { time: string }>(
  rows: readonly Row[],
): { part: DayPart; rows: Row[] }[] {
  return DAY_PARTS.map((part) => ({
    part,
    rows: rows.filter(({ time }) => dayPartOf(time) === part),
  })).filter((group) => group.rows.length > 0);
}
