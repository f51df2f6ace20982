import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  firstOccurrences,
  nextOccurrence,
  previewDoses,
  occurrences,
} from '#app/domain/schedules/occurrences.ts';
import { anyRule, rule } from '#tests/support/schedules.ts';

const instant = (text: string) => new Date(text);

describe('upcoming occurrences', () => {
  it('preview 14 doses from the start date, even if the schedule began long ago', () => {
    const doses = previewDoses(
      rule({ startDate: '2019-05-01', timeZone: 'Pacific/Kiritimati', times: ['00:00', '12:00'] }),
    );
    expect(doses).toHaveLength(14);
    expect(doses[0]?.dueDate).toEqual(instant('2019-04-30T10:00:00Z'));
    expect(doses.at(-1)?.localDay).toBe('2019-05-07');
  });

  it('preview fewer when the schedule ends sooner', () => {
    expect(previewDoses(rule({ frequency: { kind: 'once' } }))).toHaveLength(1);
    expect(previewDoses(rule({ endDate: '2026-01-03' }))).toHaveLength(3);
  });

  it('preview 14 years of a yearly dose', () => {
    const doses = previewDoses(rule({ frequency: { kind: 'interval', every: 365 } }));
    expect(doses.map(({ localDay }) => localDay).slice(-2)).toEqual(['2037-12-29', '2038-12-29']);
  });

  it('stop after twenty years without a dose', () => {
    const never = rule({ frequency: { kind: 'cycle', on: 1, off: 13 }, course: { weeksOn: 1, weeksOff: 1 } });
    expect(nextOccurrence(never, instant('2026-01-02'))?.localDay).toBe('2026-01-15');
    const weekOff = rule({ frequency: { kind: 'weekdays', weekdays: ['mon'] }, endDate: '2026-01-04' });
    expect(nextOccurrence(weekOff, instant('2026-01-01'))).toBeNull();
  });

  it('include a dose due at this very instant', () => {
    expect(nextOccurrence(rule(), instant('2026-01-05T08:00:00Z'))?.localDay).toBe('2026-01-05');
    expect(nextOccurrence(rule(), instant('2026-01-05T08:00:00.001Z'))?.localDay).toBe('2026-01-06');
  });

  it('are the start of one long window', () => {
    const count = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(anyRule, count, fc.integer({ min: -10, max: 300 }), (any, expected, after) => {
        const from = new Date(Date.parse(any.startDate) + after * 86_400_000);
        const to = new Date(from.getTime() + 3000 * 86_400_000);
        // A rare schedule has fewer doses in the window than requested; the rest come after it.
        const inside = firstOccurrences(any, from, expected).filter(({ dueDate }) => dueDate < to);
        expect(inside).toEqual(occurrences(any, { from, to }).slice(0, expected));
      }),
      { numRuns: 60 },
    );
  });
});
