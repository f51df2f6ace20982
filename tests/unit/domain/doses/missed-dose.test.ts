import { describe, expect, it } from 'vitest';
import { missedDoseTexts } from '#app/domain/doses/missed-dose.ts';
import { FREQUENCY_KINDS, type Frequency } from '#app/domain/schedules/schedule-rule.ts';

const NEXT = '24 Nov 2026, 08:00';
const FREQUENCIES: Record<(typeof FREQUENCY_KINDS)[number], Frequency> = {
  daily: { kind: 'daily' },
  weekdays: { kind: 'weekdays', weekdays: ['mon'] },
  interval: { kind: 'interval', every: 3 },
  cycle: { kind: 'cycle', on: 5, off: 2 },
  monthly: { kind: 'monthly', day: 'last' },
  'after-last': { kind: 'after-last', everyHours: 8 },
  'as-needed': { kind: 'as-needed' },
  once: { kind: 'once' },
};
const rule = (frequency: Frequency | null, next: string | null = NEXT) => missedDoseTexts(frequency, next)[0];

describe('a missed dose', () => {
  it('comes with what its schedule’s rule means for it', () => {
    expect(rule(FREQUENCIES.daily)).toBe(
      `Its schedule keeps its times: whatever you do with this dose, the next one is due ${NEXT}.`,
    );
    expect(rule(FREQUENCIES.daily, null)).toBe('Its schedule has no later dose.');
    expect(rule(FREQUENCIES['after-last'])).toBe(
      `Its schedule counts from the last dose: if you log this one as taken, the next one is due 8 hours after the latest one you took. Otherwise the next one is due ${NEXT}.`,
    );
    expect(rule(FREQUENCIES.once)).toBe('Its schedule has no other dose.');
    expect(rule(null)).toBe('Its schedule was deleted, so no other dose depends on it.');
  });

  it.each(FREQUENCY_KINDS)('of a schedule of kind %s comes with choices and no advice', (kind) => {
    const [first = '', choices = ''] = missedDoseTexts(FREQUENCIES[kind], NEXT);
    expect(choices).toContain('You can log it with the time you took it, mark it as skipped');
    expect(`${first} ${choices}`).not.toMatch(/should|must|double|recommend/i);
  });
});
