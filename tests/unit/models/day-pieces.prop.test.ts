import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayPieces } from '#models/day-pieces.server.ts';

const DAY = 86_400_000;
// Instants near the ends of days, where it matters.
const instant = fc
  .tuple(fc.integer({ min: 20_000, max: 20_006 }), fc.constantFrom(0, 1, DAY / 2, DAY - 1))
  .map(([day, rest]) => day * DAY + rest);
const end = fc.oneof(fc.constant(null), instant);
const toDate = (ms: number | null) => (ms === null ? null : new Date(ms));
const inRange = (ms: number, { from, before }: { from: Date | null; before: Date | null }) =>
  (from === null || ms >= from.getTime()) && (before === null || ms < before.getTime());
const inDays = (ms: number, days: { from: string | null; before: string | null } | null) => {
  const day = new Date(ms).toISOString().slice(0, 10);
  return (
    days !== null && (days.from === null || day >= days.from) && (days.before === null || day < days.before)
  );
};

describe('dividing a range into days and rests', () => {
  it('holds every instant of the range exactly once, and no other', () => {
    fc.assert(
      fc.property(end, end, instant, (from, before, ms) => {
        fc.pre(from === null || before === null || from <= before);
        const range = { from: toDate(from), before: toDate(before) };
        const { days, rests } = dayPieces(range);
        const times = rests.filter((rest) => inRange(ms, rest)).length + (inDays(ms, days) ? 1 : 0);
        expect(times).toBe(inRange(ms, range) ? 1 : 0);
      }),
    );
  });

  it('leaves less than a day to look through at each end', () => {
    fc.assert(
      fc.property(instant, instant, (from, before) => {
        const { days, rests } = dayPieces({ from: new Date(from), before: new Date(before) });
        for (const rest of rests) {
          const span = (rest.before?.getTime() ?? 0) - (rest.from?.getTime() ?? 0);
          expect(span).toBeLessThan(days === null ? 2 * DAY : DAY);
        }
      }),
    );
  });
});
