import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countStatuses,
  metricsOf,
  overallStatus,
  trendOf,
  uptimeText,
  type Sample,
} from '#app/domain/system/system-metrics.ts';

const sample = (more: Partial<Sample> = {}): Sample => ({
  at: new Date('2026-03-09T08:00:00Z'),
  memoryMb: 200,
  heapShare: 0.1,
  lagMs: 1,
  databaseMs: 2,
  requestsPerMinute: 30,
  errorShare: 0,
  backlog: 0,
  backlogSeconds: 0,
  ...more,
});
const named = (name: string, more: Partial<Sample>) =>
  metricsOf([sample(more)]).find((metric) => metric.name === name);

describe('system figures', () => {
  it('are healthy on a quiet server, and empty before the first sample', () => {
    const metrics = metricsOf([sample()]);
    expect(countStatuses(metrics)).toEqual({ healthy: metrics.length, warning: 0, critical: 0 });
    expect(overallStatus(metrics)).toBe('healthy');
    expect(metricsOf([])).toEqual([]);
  });

  it.each([
    ['Event-loop lag', { lagMs: 99.9 }, 'healthy', '99.9 ms'],
    ['Event-loop lag', { lagMs: 100 }, 'warning', '100.0 ms'],
    ['Event-loop lag', { lagMs: 500 }, 'critical', '500.0 ms'],
    ['Memory', { memoryMb: 1500.4 }, 'warning', '1500 MB'],
    ['Heap in use', { heapShare: 0.91 }, 'critical', '91%'],
    ['Database latency', { databaseMs: null }, 'critical', 'No answer'],
    ['Failed requests', { errorShare: 0.02 }, 'warning', '2.0%'],
    ['Failed requests', { errorShare: null }, 'healthy', 'Too few requests'],
    ['Requests', { requestsPerMinute: 99_999 }, 'healthy', '99999 a minute'],
    ['Age of the backlog', { backlogSeconds: 1800 }, 'critical', '30 min'],
  ] as const)('%s of %j is %s and reads "%s"', (name, more, status, value) => {
    expect(named(name, more)).toMatchObject({ status, value });
  });

  it('have the overall status of the worst one', () => {
    const metrics = metricsOf([sample({ lagMs: 200, databaseMs: null })]);
    expect(countStatuses(metrics)).toMatchObject({ warning: 1, critical: 1 });
    expect(overallStatus(metrics)).toBe('critical');
    expect(overallStatus(metricsOf([sample({ lagMs: 200 })]))).toBe('warning');
  });
});

describe('a trend', () => {
  it('reverses when the values are reversed, and is stable for constant values', () => {
    const opposite = { up: 'down', down: 'up', stable: 'stable' };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 12 }), (values) => {
        const turned = trendOf(values.toReversed(), 0.001);
        // 10% of the smaller value is reached sooner, so only clear cases are compared.
        if (turned !== 'stable' && trendOf(values, 0.001) !== 'stable')
          expect(turned).toBe(opposite[trendOf(values, 0.001)]);
        expect(
          trendOf(
            values.map(() => values[0] ?? 0),
            0.001,
          ),
        ).toBe('stable');
      }),
    );
  });

  it('ignores changes that are too small', () => {
    expect(trendOf([100, 100, 109, 109], 1)).toBe('stable');
    expect(trendOf([100, 100, 111, 111], 1)).toBe('up');
    expect(trendOf([1, 1, 3, 3], 5)).toBe('stable');
    expect(trendOf([50, 50, 10, 10], 5)).toBe('down');
    expect(trendOf([1, 100], 1)).toBe('stable');
  });
});

it.each([
  [0, '0 min 0 s'],
  [3_661, '1 h 1 min'],
  [90_061, '1 d 1 h'],
])('%i seconds up are %s', (seconds, text) => expect(uptimeText(seconds)).toBe(text));
