import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hoursText,
  median,
  onsetHours,
  ONSET_WINDOW_HOURS,
  summariseByName,
  summariseEffects,
  type CountedEffect,
  severityText,
  SIDE_EFFECT_TEMPLATES,
} from '#app/domain/tracking/side-effects.ts';
import { ENTRY_FIELDS } from '#app/features/offline/entry-fields.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const at = (hours: number) => new Date(START + hours * HOUR);

const effect: fc.Arbitrary<CountedEffect> = fc
  .record({
    name: fc.constantFrom('Nausea', 'nausea', 'Headache', 'Rash'),
    severity: fc.integer({ min: 1, max: 5 }),
    start: fc.nat(2000),
    lasts: fc.option(fc.nat(200)),
  })
  .map(({ name, severity, start, lasts }) => ({
    name,
    severity,
    startedAt: at(start),
    resolvedAt: lasts === null ? null : at(start + lasts),
  }));
const effects = fc.array(effect, { maxLength: 30 });
const doses = fc.array(fc.nat(2000), { maxLength: 30 }).map((hours) => hours.sort((a, b) => a - b).map(at));

describe('the median', () => {
  it('has at least half of the values on either side and lies between the smallest and the largest', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const middle = median(values) ?? NaN;
        const below = values.filter((value) => value <= middle).length;
        const above = values.filter((value) => value >= middle).length;
        expect(below * 2).toBeGreaterThanOrEqual(values.length);
        expect(above * 2).toBeGreaterThanOrEqual(values.length);
        expect(middle).toBeGreaterThanOrEqual(Math.min(...values));
        expect(middle).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
  });

  it.each([
    [[], null],
    [[3], 3],
    [[3, 1], 2],
    [[10, 1, 2], 2],
    [[1, 2, 3, 100], 2.5],
  ])('of %j is %s', (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});

describe('the onset of a side effect', () => {
  it('is the shortest time since any earlier dose, as a linear search finds it', () => {
    fc.assert(
      fc.property(fc.nat(2400), doses, (hours, takenAt) => {
        const since = takenAt.map((taken) => hours - (taken.getTime() - START) / HOUR).filter((h) => h >= 0);
        const least = since.length === 0 ? null : Math.min(...since);
        const expected = least !== null && least <= ONSET_WINDOW_HOURS ? least : null;
        expect(onsetHours(at(hours), takenAt)).toBe(expected);
      }),
    );
  });

  it('is null if the last dose was more than two weeks before or came later', () => {
    expect(onsetHours(at(336), [at(0)])).toBe(336);
    expect(onsetHours(at(336.01), [at(0)])).toBeNull();
    expect(onsetHours(at(0), [at(1)])).toBeNull();
    expect(onsetHours(at(0), [])).toBeNull();
  });
});

describe('the statistics of side effects', () => {
  it('by name add up to the overall ones', () => {
    fc.assert(
      fc.property(effects, doses, (all, takenAt) => {
        const [whole, parts] = [summariseEffects(all, takenAt), summariseByName(all, takenAt)];
        const sum = (of: (part: (typeof parts)[number]) => number) =>
          parts.reduce((total, part) => total + of(part), 0);
        expect(sum(({ count }) => count)).toBe(whole.count);
        expect(sum(({ open }) => open)).toBe(whole.open);
        expect(sum(({ withOnset }) => withOnset)).toBe(whole.withOnset);
        expect(sum(({ count, meanSeverity }) => count * (meanSeverity ?? 0))).toBeCloseTo(
          whole.count * (whole.meanSeverity ?? 0),
          9,
        );
        expect(Math.max(0, ...parts.map(({ maxSeverity }) => maxSeverity ?? 0))).toBe(whole.maxSeverity ?? 0);
      }),
    );
  });

  it('are sorted by frequency and ignore the case of names', () => {
    fc.assert(
      fc.property(effects, (all) => {
        const parts = summariseByName(all, []);
        const counts = parts.map(({ count }) => count);
        expect(counts).toEqual([...counts].sort((a, b) => b - a));
        expect(new Set(parts.map(({ name }) => name.toLowerCase())).size).toBe(parts.length);
      }),
    );
  });

  it('do not depend on the order of the side effects', () => {
    fc.assert(
      fc.property(effects, doses, (all, takenAt) => {
        const { meanSeverity, ...rest } = summariseEffects([...all].reverse(), takenAt);
        const forwards = summariseEffects(all, takenAt);
        expect(rest).toEqual({ ...forwards, meanSeverity: undefined } satisfies object);
        expect(meanSeverity ?? 0).toBeCloseTo(forwards.meanSeverity ?? 0, 9);
      }),
    );
  });
});

describe('the texts of side effects', () => {
  it.each([
    [0, '0 min'],
    [0.5, '30 min'],
    [1, '1 h'],
    [6.54, '6.5 h'],
    [47.9, '47.9 h'],
    [48, '2 days'],
    [250, '10.4 days'],
  ])('%s hours are %s', (hours, text) => {
    expect(hoursText(hours)).toBe(text);
  });

  it('name severities and the twelve templates', () => {
    expect([1, 2, 3, 4, 5].map(severityText)).toEqual([
      '1 of 5, very mild',
      '2 of 5, mild',
      '3 of 5, moderate',
      '4 of 5, severe',
      '5 of 5, very severe',
    ]);
    // The offline form uses the same words for the same numbers.
    const offline = ENTRY_FIELDS['side-effect'].find(({ name }) => name === 'severity')?.options ?? [];
    expect(offline.map(({ value, label }) => label.replace(' – ', ' of 5, ').replace(/^\d/, value))).toEqual(
      [1, 2, 3, 4, 5].map(severityText),
    );
    expect(SIDE_EFFECT_TEMPLATES.map((name) => name.toLowerCase())).toEqual([
      'injection-site reaction',
      'nausea',
      'headache',
      'fatigue',
      'flushing',
      'water retention',
      'appetite change',
      'stomach upset',
      'dizziness',
      'tingling',
      'irritability',
      'sleep change',
    ]);
  });
});
