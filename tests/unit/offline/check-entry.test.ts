import { describe, expect, it } from 'vitest';
import { checkEntry } from '#app/features/offline/check-entry.ts';

const NOW = Date.parse('2090-03-10T12:00:00Z');
const takenAt = new Date(NOW).toISOString();
const TOO_MUCH = 'Dose must be above 0 and at most 100 mg';
const DID_YOU_MEAN = 'Did you mean 250 mcg?';

it('a calculation asks about its dose as well, and takes the unit that was typed with it', () => {
  const entry = { peptideAmount: '5', waterVolume: '2', desiredDoseUnit: 'mg' };
  const { desiredDose = [] } = checkEntry('calculation', { ...entry, desiredDose: '250' }, NOW) ?? {};
  expect(desiredDose).toContain(DID_YOU_MEAN);
  expect(checkEntry('calculation', { ...entry, desiredDose: '250 mcg' }, NOW)).toBeNull();
});

describe('a dose that is entered offline', () => {
  const logged = (actualDose: string, doseUnit: string) =>
    checkEntry('dose-logged', { name: 'BPC-157', actualDose, doseUnit, takenAt }, NOW);

  it('is accepted in either unit, and with its unit typed', () => {
    for (const [dose, unit] of [
      ['250', 'mcg'],
      ['0.25', 'mg'],
      ['250 mcg', 'mg'],
    ] as const)
      expect(logged(dose, unit), `${dose}, ${unit}`).toBeNull();
  });

  it('is refused at once when no vial could hold it, with the question whether mcg were meant', () => {
    expect(logged('250', 'mg')).toEqual({ actualDose: [TOO_MUCH, DID_YOU_MEAN] });
    expect(logged('250 mg', 'mcg')).toEqual({ actualDose: [TOO_MUCH, DID_YOU_MEAN] });
    expect(logged('0', 'mg')).toEqual({ actualDose: [TOO_MUCH] });
    expect(logged('100001', 'mcg')).toEqual({ actualDose: [TOO_MUCH] });
  });

  it('of a plan is checked when its unit was typed; a number alone is in the unit of the plan', () => {
    for (const kind of ['dose-taken', 'dose-as-needed'] as const) {
      const id = { 'dose-taken': 'doseId', 'dose-as-needed': 'scheduleId' }[kind];
      const planned = (actualDose: string) =>
        checkEntry(kind, { [id]: '0123456789abcdef01234567', actualDose, takenAt }, NOW);
      expect(planned('250 mg'), kind).toEqual({ actualDose: [TOO_MUCH, DID_YOU_MEAN] });
      expect(planned('250 mcg'), kind).toBeNull();
      expect(planned('250'), kind).toBeNull();
    }
  });

  it('is refused for its size and its time together', () => {
    const later = new Date(NOW + 3_600_000).toISOString();
    const entry = { name: 'BPC-157', actualDose: '250', doseUnit: 'mg', takenAt: later };
    expect(checkEntry('dose-logged', entry, NOW)).toEqual({
      actualDose: [TOO_MUCH, DID_YOU_MEAN],
      takenAt: ['The time is in the future'],
    });
  });
});
