import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  minutesLate,
  ON_TIME_MINUTES,
  summariseTiming,
  timingSummaryText,
  timingText,
} from '#app/domain/reports/report-timing.ts';

const DUE = new Date('2026-03-09T08:00:00Z');
const after = (ms: number) => new Date(DUE.getTime() + ms);

function countsOf(minutes: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const minute of minutes) counts.set(minute, (counts.get(minute) ?? 0) + 1);
  return counts;
}

describe('minutes early or late', () => {
  it.each([
    [0, 0, 'on time'],
    [59_999, 0, 'on time'],
    [-59_999, 0, 'on time'],
    [60_000, 1, '1 min late'],
    [-12 * 60_000, -12, '12 min early'],
    [65 * 60_000, 65, '1 h 5 min late'],
    [-120 * 60_000, -120, '2 h early'],
    [27 * 3_600_000, 1620, '1 d 3 h late'],
  ])('%i ms after the due time is %i minutes, "%s"', (ms, minutes, text) => {
    expect(minutesLate(DUE, after(ms))).toBe(minutes);
    expect(timingText(minutes)).toBe(text);
  });

  it('change sign when due time and taken time are swapped', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (ms) => {
        expect(minutesLate(after(ms), DUE) + minutesLate(DUE, after(ms))).toBe(0);
      }),
    );
  });

  it('never count an incomplete minute', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (ms) => {
        const minutes = minutesLate(DUE, after(ms));
        expect(minutes * 60_000).toBeLessThanOrEqual(ms);
        expect((minutes + 1) * 60_000).toBeGreaterThan(ms);
      }),
    );
  });
});

describe('the timing summary', () => {
  const minutes = fc.array(fc.integer({ min: -300, max: 3000 }), { minLength: 1, maxLength: 60 });

  it('puts every dose in exactly one of on time, early and late', () => {
    fc.assert(
      fc.property(minutes, (all) => {
        const { count, onTime, early, late } = summariseTiming(countsOf(all));
        expect(count).toBe(all.length);
        expect(onTime + early + late).toBe(count);
        expect(onTime).toBe(all.filter((minute) => Math.abs(minute) <= ON_TIME_MINUTES).length);
      }),
    );
  });

  it('has the median of the plain sorted list', () => {
    fc.assert(
      fc.property(minutes, (all) => {
        const sorted = [...all].sort((a, b) => a - b);
        expect(summariseTiming(countsOf(all)).medianMinutes).toBe(sorted[(sorted.length - 1) >> 1]);
      }),
    );
  });

  it('has no text without doses', () => {
    expect(summariseTiming(new Map())).toEqual({
      count: 0,
      onTime: 0,
      early: 0,
      late: 0,
      medianMinutes: null,
    });
    expect(timingSummaryText(summariseTiming(new Map()))).toBeNull();
  });

  it('is written as a sentence', () => {
    expect(timingSummaryText(summariseTiming(countsOf([-45, -30, 0, 5, 31])))).toBe(
      '3 of 5 taken within 30 min of the due time, 1 earlier, 1 later. Median: on time.',
    );
  });
});
