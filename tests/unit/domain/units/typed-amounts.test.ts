import { describe, expect, test } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { parseCalculationForm, parseCalculationJson } from '#app/domain/calculator/calculation-schema.ts';
import { logDoseSchema } from '#app/domain/doses/dose-schema.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { scheduleSchema } from '#app/domain/schedules/schedule-schema.ts';
import { logSiteSchema } from '#app/domain/tracking/injection-site-schema.ts';
import { amountProblem, doseInUnit, MASS_UNITS, VOLUME_UNITS } from '#app/domain/units/quantity.ts';
import { productSchema } from '#app/domain/vendors/vendor-schema.ts';
import { reconstituteSchema, remainingSchema, vialSchema } from '#app/domain/vials/vial-schema.ts';
import { computeRow } from '#cli/batch/compute.ts';
import { readCalcOptions } from '#cli/commands/calc-options.ts';

/** 5 mg in 2 ml, 250 mcg: 0.1 ml. */
const SUMMARY = '5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)';

const summaryOf = (fields: Record<string, string>) => {
  const parsed = parseCalculationForm(fields);
  return parsed.ok ? calculate(parsed.input).summary : parsed.fields;
};

describe('an amount typed with its unit in the calculator', () => {
  test.each([
    ['5 mg', '2 mL', '0.25 mg', 'mg'],
    ['5mg', '2ml', '250mcg', 'mg'],
    [' 5 MG ', '2 cc', '250 \u00b5g', 'mg'],
    ['5000 mcg', '2', '0,25', 'mg'],
    ['5', '2', '0.25 mg', 'mcg'],
    ['5', '2', '250', 'mcg'],
  ])(
    'is read for %s in %s, %s with the unit on %s',
    (peptideAmount, waterVolume, desiredDose, desiredDoseUnit) => {
      expect(summaryOf({ peptideAmount, waterVolume, desiredDose, desiredDoseUnit })).toBe(SUMMARY);
    },
  );

  test('sets the unit of the form and leaves only the number', () => {
    const { values } = parseCalculationForm({
      peptideAmount: '5 mg',
      waterVolume: '2 mL',
      desiredDose: '250mcg',
      desiredDoseUnit: 'mg',
    });
    expect(values).toEqual({
      peptideAmount: '5',
      waterVolume: '2',
      desiredDose: '250',
      desiredDoseUnit: 'mcg',
    });
  });

  test('is read the same way by the terminal and a batch', () => {
    const typed = { peptideAmount: '5 mg', waterVolume: '2 mL', desiredDose: '250mcg' };
    expect(calculate(readCalcOptions({ amount: '5 mg', water: '2 mL', dose: '250mcg' })).summary).toBe(
      SUMMARY,
    );
    const settings = { syringe: 'u100-1ml', mark: undefined, displacement: '0' } as const;
    expect(computeRow(typed, settings)).toMatchObject({ injectionVolumeText: '0.100', unitsText: '10' });
    expect(computeRow({ ...typed, desiredDose: '250xx' }, settings)).toEqual({
      error: 'desiredDose: 250xx is not an amount; write 250 mcg or 0.25 mg',
    });
  });

  test('is accepted by the API in mg and mcg, in the text or beside it', () => {
    const body = { peptideAmount: 5, waterVolume: '2 ml' };
    const doses = [
      { desiredDose: '250 mcg' },
      { desiredDose: 250, desiredDoseUnit: 'mcg' },
      { desiredDose: '0.25', desiredDoseUnit: 'mg' },
      { desiredDose: 0.25 },
    ];
    for (const dose of doses) {
      const parsed = parseCalculationJson({ ...body, ...dose });
      expect(parsed.ok && calculate(parsed.input).injectionVolumeText).toBe('0.100');
    }
  });
});

describe('the question whether mcg were meant', () => {
  const questions = (desiredDose: string, desiredDoseUnit = 'mg') => {
    const parsed = parseCalculationForm({
      peptideAmount: '5',
      waterVolume: '2',
      desiredDose,
      desiredDoseUnit,
    });
    return parsed.ok ? null : parsed.fields['desiredDose'];
  };
  const LIMIT = 'Desired dose must be positive and less than total peptide amount';

  test('is asked for 250 with the unit on mg', () =>
    expect(questions('250')).toEqual([LIMIT, 'Did you mean 250 mcg?']));
  test('is asked for 250 mg, written out', () =>
    expect(questions('250 mg')).toEqual([LIMIT, 'Did you mean 250 mcg?']));
  test('is not asked if mcg would be too much, too', () => expect(questions('6000')).toEqual([LIMIT]));
  test('is not asked for 6 mg out of 5', () => expect(questions('6')).toEqual([LIMIT]));
  test('is not asked if the unit is already mcg', () => expect(questions('6000', 'mcg')).toEqual([LIMIT]));

  test('is also asked in a schedule', () => {
    const body = { ...SCHEDULE, doseAmount: '250', doseUnit: 'mg' };
    const { error } = scheduleSchema.safeParse(body);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'A dose can be at most 100 mg',
      'Did you mean 250 mcg?',
    ]);
  });
});

const SCHEDULE = {
  name: 'BPC-157',
  doseUnit: 'mg',
  frequency: { kind: 'daily' },
  times: ['08:00'],
  startDate: '2026-03-01',
};

describe('the message for an invalid amount', () => {
  test.each([
    ['250xx', '250xx is not an amount; write 250 mcg or 0.25 mg'],
    ['5xx', '5xx is not an amount; write 5 mg or 5 mcg'],
    ['-5 mg', '-5 mg is not an amount; write it without a sign'],
    ['\u22125', '\u22125 is not an amount; write it without a sign'],
    ['$5', '$5 is not an amount; write it without a currency sign'],
    ['5 \u20ac', '5 \u20ac is not an amount; write it without a currency sign'],
    ['1e3', '1e3 is not an amount; write it without an exponent'],
    ['10 units', '10 units is a mark on a syringe, not an amount; write it in mg or mcg'],
    ['5 ml', '5 ml is a volume; write the amount in mg or mcg'],
    ['1 000', '1 000 is not an amount; write it with one decimal point and nothing else between the digits'],
    ['2,500', '2,500 can be read as 2500 or as 2.5; write it without the comma'],
    ['2,500 mcg', '2,500 mcg can be read as 2500 or as 2.5; write it without the comma'],
    ['two', 'Enter a number, such as 5'],
    ['9'.repeat(60), 'Enter a number, such as 5'],
  ])('explains what is wrong with the mass %s', (typed, message) => {
    expect(amountProblem(typed, MASS_UNITS)).toBe(message);
    const parsed = parseCalculationForm({ peptideAmount: '5', waterVolume: '2', desiredDose: typed });
    expect(parsed.ok ? {} : parsed.fields).toEqual({ desiredDose: [message] });
  });

  test.each([
    ['2 mg', '2 mg is a mass; write the volume in ml'],
    ['2xx', '2xx is not an amount; write 2 ml'],
    ['10 units', '10 units is a mark on a syringe, not an amount; write it in ml'],
    [
      '10 IU',
      'IU measure a substance, not a volume. Did you mean 10 units on a U-100 syringe? That is 0.1 ml',
    ],
  ])('explains what is wrong with the volume %s', (typed, message) =>
    expect(amountProblem(typed, VOLUME_UNITS)).toBe(message),
  );

  test('accepts a comma before two digits or after a zero as a decimal comma', () => {
    expect(summaryOf({ peptideAmount: '5,00', waterVolume: '2,0', desiredDose: '0,250' })).toBe(SUMMARY);
  });
});

describe('an amount typed with its unit is read', () => {
  test('for a new vial, its water, concentration and remaining amount', () => {
    const vial = { name: 'BPC-157', totalAmount: '5 mg', waterMl: '2 mL', concentration: '2.5 mg/ml' };
    expect(vialSchema.parse(vial)).toMatchObject({ totalAmount: '5', waterMl: '2', concentration: '2.5' });
    expect(reconstituteSchema.parse({ reconstitutionDate: '2026-03-01', waterMl: '2ml' }).waterMl).toBe('2');
    expect(remainingSchema.parse({ remainingAmount: '500 mcg' }).remainingAmount).toBe('0.5');
  });

  test('for a schedule, where it sets the unit of the dose and converts a ramp', () => {
    const ramp = { start: '100mcg', step: '-0.05 mg', everyWeeks: 2, target: '50' };
    const read = scheduleSchema.parse({ ...SCHEDULE, doseAmount: '250 mcg', ramp });
    expect(read).toMatchObject({
      doseAmount: '250',
      doseUnit: 'mcg',
      ramp: { start: '100', step: '-50', target: '50' },
    });
  });

  test('for a logged dose or site, which keep the unit even when read twice', () => {
    const dose = logDoseSchema.parse({ name: 'BPC-157', actualDose: '250mcg', doseUnit: 'mg' });
    expect(parseInput(logDoseSchema, dose).actualDose).toBe('250 mcg');
    expect(doseInUnit('250 mcg', 'mg')).toBe('0.25');
    expect(doseInUnit('0.25 mg', 'mcg')).toBe('250');
    expect(doseInUnit('250', 'mcg')).toBe('250');
    const site = logSiteSchema.parse({
      site: 'abdomen-upper-left',
      takenAt: '2026-03-01T08:00:00Z',
      dose: '250 mcg',
      volume: '0.1 ml',
    });
    expect(site).toMatchObject({ dose: '250 mcg', volume: '0.1' });
  });

  test('for a product of a supplier', () => {
    const product = { name: 'BPC-157', mgPerVial: '5 mg', price: '30', currency: 'USD' };
    expect(productSchema.parse(product).mgPerVial).toBe('5');
  });
});
