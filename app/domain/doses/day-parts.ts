/** The parts of a day, in order. */
export const DAY_PARTS = ['night', 'morning', 'afternoon', 'evening'] as const;

export type DayPart = (typeof DAY_PARTS)[number];

export const DAY_PART_LABELS: Readonly<Record<DayPart, string>> = {
  night: 'Night',
  morning: 'Morning',
  afternoon: 'Afternoon',
  evening: 'Evening',
};

/** The part of the day for a time (HH:mm): night until 05:00, morning until 12:00, afternoon until 18:00. */
export function dayPartOf(time: string): DayPart {
  if (time < '05:00') return 'night';
  if (time < '12:00') return 'morning';
  return time < '18:00' ? 'afternoon' : 'evening';
}

/** Groups rows by part of the day, leaving out empty parts and keeping the order of the rows. */
export function byDayPart<Row extends { time: string }>(
  rows: readonly Row[],
): { part: DayPart; rows: Row[] }[] {
  return DAY_PARTS.map((part) => ({
    part,
    rows: rows.filter(({ time }) => dayPartOf(time) === part),
  })).filter((group) => group.rows.length > 0);
}
