import { describe, expect, it } from 'vitest';
import { dayMeans } from '#app/domain/analytics/day-figures.ts';

const at = (text: string) => new Date(text);

describe('daily means', () => {
  it('weigh every value equally, sorted by days in the time zone', () => {
    const moments = [
      { at: at('2026-03-02T08:00:00Z'), count: 1, sum: 82 },
      { at: at('2026-03-01T20:00:00Z'), count: 3, sum: 240 },
      { at: at('2026-03-01T08:00:00Z'), count: 1, sum: 84 },
    ];
    expect(dayMeans(moments, 'UTC')).toEqual([
      { day: '2026-03-01', value: 81 },
      { day: '2026-03-02', value: 82 },
    ]);
  });

  it('assign a value to its local day', () => {
    const moments = [{ at: at('2026-03-01T18:30:00Z'), count: 1, sum: 80 }];
    expect(dayMeans(moments, 'Asia/Kolkata')).toEqual([{ day: '2026-03-02', value: 80 }]);
    expect(dayMeans(moments, 'America/Los_Angeles')).toEqual([{ day: '2026-03-01', value: 80 }]);
  });

  it('are empty without values', () => {
    expect(dayMeans([], 'UTC')).toEqual([]);
  });
});
