import { describe, expect, it } from 'vitest';
import type { SyringeChoice } from '#app/domain/calculator/calculation.ts';
import { Decimal, ratio } from '#app/domain/decimal/decimal.ts';
import { readBack, type DrawnDose } from '#app/domain/doses/read-back.ts';

const mgPerMl = (text: string) => ratio<'mg/ml'>(new Decimal(text));

const OF_POWDER = { strengthUnit: 'mg/ml', container: {} };

const dose = (mcg: string, vialId: string | null, strength: string | null = '2.5'): DrawnDose => ({
  syringe: 'u100-1ml',
  amount: { text: mcg, unit: 'mcg' },
  parts:
    vialId === null
      ? []
      : [
          {
            vialId,
            mg: new Decimal(mcg).times('0.001').toFixed(),
            strength: strength === null ? null : mgPerMl(strength),
            ...OF_POWDER,
          },
        ],
});

describe('the note to read before drawing a dose', () => {
  it('is absent when vial and amount are the same as for the last dose', () => {
    expect(readBack(dose('250', 'a'), dose('250', 'a'))).toBeNull();
    expect(readBack(dose('250', null), dose('250.0', null))).toBeNull();
    expect(readBack(dose('250', null), null)).toBeNull();
  });

  it('names a different concentration with the resulting units', () => {
    expect(readBack(dose('250', 'b', '5'), dose('250', 'a'))).toBe(
      'This vial is 5 mg/ml, the last one was 2.5: 5 units, not 10.',
    );
  });

  it('names a new vial of the same strength, and the first vial', () => {
    expect(readBack(dose('250', 'b'), dose('250', 'a'))).toBe(
      'First dose from this vial of 2.5 mg/ml, the same as the last one: 10 units, as before.',
    );
    expect(readBack(dose('250', 'b'), null)).toBe('First dose from this vial of 2.5 mg/ml: 10 units.');
    expect(readBack(dose('250', 'b'), dose('250', null))).toBe(
      'First dose from this vial of 2.5 mg/ml: 10 units.',
    );
  });

  it('names a different amount, in syringe units if they are known', () => {
    expect(readBack(dose('500', 'a'), dose('250', 'a'))).toBe(
      'This dose is 500 mcg, the last one was 250: 20 units, not 10.',
    );
    expect(readBack(dose('1500', null), dose('250', null))).toBe(
      'This dose is 1,500 mcg, the last one was 250.',
    );
    const inMg: DrawnDose = { ...dose('500', 'a'), amount: { text: '0.50', unit: 'mg' } };
    expect(readBack(inMg, dose('250', 'a'))).toBe(
      'This dose is 0.5 mg, the last one was 250 mcg: 20 units, not 10.',
    );
  });

  it('names a different concentration and amount, and that the units stay the same', () => {
    expect(readBack(dose('500', 'b', '5'), dose('250', 'a'))).toBe(
      'This vial is 5 mg/ml, the last one was 2.5; this dose is 500 mcg, the last one was 250: 10 units, as before.',
    );
  });

  it('names every vial of a dose drawn from several vials', () => {
    const split: DrawnDose = {
      syringe: 'u100-1ml',
      amount: { text: '250', unit: 'mcg' },
      parts: [
        { vialId: 'a', mg: '0.1', strength: mgPerMl('2.5'), ...OF_POWDER },
        { vialId: 'b', mg: '0.15', strength: mgPerMl('5'), ...OF_POWDER },
      ],
    };
    expect(readBack(split, dose('250', 'a'))).toBe(
      'This dose comes from 2 vials: 4 units of 2.5 mg/ml and 3 units of 5 mg/ml, 7 units in all.',
    );
    // The next dose from the second vial alone is compared with that vial.
    expect(readBack(dose('250', 'b', '5'), split)).toBeNull();
  });

  it('says nothing it cannot know about a vial of unknown strength', () => {
    expect(readBack(dose('250', 'b', null), dose('250', 'a'))).toBeNull();
    expect(readBack(dose('250', 'b', '5'), dose('250', 'a', null))).toBe(
      'First dose from this vial of 5 mg/ml: 5 units.',
    );
  });

  it('names a different syringe, with the units of each scale', () => {
    const now = (syringe: SyringeChoice, mcg = '250'): DrawnDose => ({ ...dose(mcg, 'a'), syringe });
    expect(readBack(now('u40-1ml'), now('u100-1ml'))).toBe(
      'Your syringe is U-40 1 ml, the last dose was drawn with U-100 1 ml: 4 U-40 units, not 10 of U-100.',
    );
    expect(readBack(now('u100-0.3ml'), now('u100-1ml'))).toBe(
      'Your syringe is U-100 0.3 ml, the last dose was drawn with U-100 1 ml: 10 units, as before.',
    );
    expect(readBack(now('u40-1ml', '500'), now('u40-1ml'))).toBe(
      'This dose is 500 mcg, the last one was 250: 8 U-40 units, not 4.',
    );
    expect(readBack(now('u40-1ml'), null)).toBe('First dose from this vial of 2.5 mg/ml: 4 U-40 units.');
    const blue = { id: 'own:b1', name: 'Blue', barrelMl: '0.7', unitsPerMl: '40', mark: '0.5' };
    expect(readBack(now(blue), now('u100-1ml'))).toBe(
      'Your syringe is Blue, the last dose was drawn with U-100 1 ml: 4 U-40 units, not 10 of U-100.',
    );
    expect(readBack(now({ ...blue, unitsPerMl: '80' }), now(blue))).toBe(
      'The measures of Blue have changed since the last dose: 8 U-80 units, not 4 of U-40.',
    );
    expect(readBack(now({ ...blue, name: 'Azure' }), now(blue))).toBeNull();
    const unknown: DrawnDose = { ...dose('250', 'a', null), syringe: 'u40-1ml' };
    expect(readBack(unknown, dose('250', 'a', null))).toBe(
      'Your syringe is U-40 1 ml, the last dose was drawn with U-100 1 ml.',
    );
  });
});
