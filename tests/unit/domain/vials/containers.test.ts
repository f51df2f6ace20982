import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawLines } from '#app/domain/doses/draw-line.ts';
import { readBack } from '#app/domain/doses/read-back.ts';
import { amountWarnings, type Amount, type AmountSetting } from '#app/domain/doses/dose-warnings.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { compoundView } from '#app/domain/vials/compound-view.ts';
import { contentsOf, drawOf, stockKey, strengthOf } from '#app/domain/vials/contents.ts';
import { changedVial, newVial } from '#app/domain/vials/describe-vial.ts';
import { forecastStock } from '#app/domain/vials/forecast.ts';
import { planDraws, takeFrom } from '#app/domain/vials/stock.ts';
import type { Vial, VialWithLedger } from '#app/domain/vials/vial.ts';
import { VIAL_MESSAGES } from '#app/domain/vials/vial-fields.ts';
import {
  inOneMeasure,
  vialCallSchema,
  vialChangesSchema,
  vialSchema,
} from '#app/domain/vials/vial-schema.ts';
import { doseOfVial, vialDetail, vialLabel, vialRow } from '#app/domain/vials/vial-texts.ts';
import { doseInUnit, otherMeasureProblem } from '#app/domain/units/quantity.ts';

const MADE = { id: 'vial_1', userId: 'u', createdAt: new Date('2026-03-01T08:00:00Z') };
const DAY = '2026-03-05';
const at = new Date('2026-03-05T08:00:00Z');

const made = (fields: Record<string, unknown>, id = 'vial_1'): VialWithLedger =>
  newVial(parseInput(vialSchema, fields), { ...MADE, id });

const HCG = { name: 'HCG', totalAmount: '5000 IU', waterMl: '2', reconstitutionDate: '2026-03-01' };
const PEN = {
  name: 'Somatropin',
  form: 'pen',
  amountUnit: 'IU',
  concentration: '10',
  waterMl: '1.5',
  clickMl: '0.01',
};
const SOLUTION = { name: 'Tirzepatide', form: 'solution', concentration: '10 mg/ml', waterMl: '3' };
const SPRAY = { name: 'PT-141', form: 'spray', totalAmount: '10', waterMl: '5', sprayMl: '0.1' };
const CAPSULES = { name: 'BPC-157', form: 'capsule', concentration: '0.5', pieces: '60' };

const refused = (fields: Record<string, unknown>): Record<string, string[]> => {
  const parsed = vialSchema.safeParse(fields);
  const found: Record<string, string[]> = {};
  for (const { path, message } of parsed.error?.issues ?? [])
    found[path.join('.')] = [...(found[path.join('.')] ?? []), message];
  return found;
};

describe('a new vial of any form', () => {
  it.each([
    [HCG, { amountUnit: 'IU', totalAmount: '5000', status: 'reconstituted' }, '2,500 IU/ml'],
    [PEN, { amountUnit: 'IU', totalAmount: '15', status: 'sealed' }, '10 IU/ml'],
    [SOLUTION, { amountUnit: null, totalAmount: '30', status: 'sealed' }, '10 mg/ml'],
    [SPRAY, { totalAmount: '10', status: 'sealed' }, '2 mg/ml'],
    [CAPSULES, { totalAmount: '30', status: 'sealed' }, '0.5 mg each'],
  ] as const)('%j holds what its figures say', (fields, stored, strength) => {
    const vial = made(fields);
    expect(vial).toMatchObject(stored);
    const row = vialRow(vial, DAY);
    expect(`${row.strengthText} ${row.strengthUnit}`).toBe(strength);
  });

  it('says what is missing, or does not belong to the form', () => {
    expect(refused({ ...PEN, clickMl: '' })).toEqual({ clickMl: [VIAL_MESSAGES.clickMl] });
    expect(refused({ ...SPRAY, sprayMl: undefined })).toEqual({ sprayMl: [VIAL_MESSAGES.sprayMl] });
    expect(refused({ ...CAPSULES, pieces: undefined })).toMatchObject({ pieces: [VIAL_MESSAGES.pieces] });
    expect(refused({ ...CAPSULES, pieces: '2.5' })).toMatchObject({ pieces: [VIAL_MESSAGES.pieces] });
    expect(refused({ name: 'A', form: 'solution', totalAmount: '5' })).toEqual({
      waterMl: [VIAL_MESSAGES.containerMl],
    });
    expect(refused({ ...PEN, reconstitutionDate: DAY })).toEqual({
      reconstitutionDate: [VIAL_MESSAGES.notMixed],
    });
    expect(refused({ ...PEN, displacement: '1' })).toEqual({ displacement: [VIAL_MESSAGES.noPowder] });
    expect(refused({ ...PEN, totalAmount: '20' })).toEqual({
      concentration: [VIAL_MESSAGES.strengthDiffers],
    });
    expect(refused({ name: 'A', form: 'tablet', totalAmount: '5' })['form']).toHaveLength(1);
  });

  it('never takes a typed unit of one measure for the other', () => {
    const other = [VIAL_MESSAGES.otherMeasure];
    expect(refused({ ...HCG, amountUnit: 'mg' })).toEqual({ totalAmount: other });
    expect(refused({ ...HCG, totalAmount: '5 mg', amountUnit: 'IU' })).toEqual({ totalAmount: other });
    expect(refused({ ...PEN, concentration: '10 mg/ml' })).toEqual({ concentration: other });
    expect(
      refused({
        components: [
          { name: 'A', amount: '5 mg' },
          { name: 'B', amount: '5 IU' },
        ],
      }),
    ).toEqual({ 'components.1.amount': other });
    const changes = inOneMeasure(vialChangesSchema, 'IU');
    expect(changes.safeParse({ totalAmount: '6000 IU' }).success).toBe(true);
    expect(changes.safeParse({ totalAmount: '6 mg' }).error?.issues[0]).toMatchObject({ message: other[0] });
  });

  it('accepts capsules without a concentration from a program', () => {
    expect(
      vialCallSchema.safeParse({ name: 'A', form: 'capsule', totalAmount: 30, pieces: 60 }).success,
    ).toBe(true);
    expect(vialCallSchema.safeParse({ name: 'A', totalAmount: 30 }).success).toBe(false);
  });

  it('is a number with its unit for programs', () => {
    expect(compoundView(made(PEN), DAY)).toMatchObject({
      ...{ form: 'pen', amountUnit: 'IU', clickMl: 0.01, sprayMl: null, pieces: null },
      ...{ totalAmount: 15, concentration: 10, waterMl: 1.5, isActive: true },
    });
    expect(compoundView(made({ name: 'A', totalAmount: '5' }), DAY)).toMatchObject({
      form: 'powder',
      amountUnit: 'mg',
    });
  });
});

describe('a dose from a vial of any form', () => {
  const drawn = (fields: Record<string, unknown>, doseMg: string) =>
    doseOfVial(made(fields), doseMg, 'u100-1ml', { unit: fields['amountUnit'] === 'IU' ? 'IU' : 'mg' });

  it.each([
    [HCG, '250', { units: '10', ml: '0.1' }, '20'],
    [PEN, '1.2', { units: '12', ml: '0.12' }, '12'],
    [SOLUTION, '2.5', { units: '25', ml: '0.25' }, '12'],
    [SPRAY, '0.4', { units: '2', ml: '0.2' }, '25'],
    [CAPSULES, '1', { units: '2', ml: null }, '30'],
  ] as const)('%j, %s', (fields, dose, draw, dosesLeft) => {
    expect(drawn(fields, dose)).toMatchObject({ ...draw, dosesLeft });
  });

  it('is said in what the hand counts', () => {
    const line = (fields: Record<string, unknown>, doseAmount: string, doseUnit: 'mg' | 'mcg' | 'IU') => {
      const vial = made(fields);
      const dose = {
        ...{
          id: 'd',
          scheduleId: null,
          name: vial.name,
          status: 'pending' as const,
          dueDate: at,
          takenAt: null,
        },
        ...{ doseAmount, actualDose: null, doseUnit, compoundId: null, site: null, notes: null, route: null },
        ...{ before: null, timeZone: 'UTC', wallTime: '08:00', localDay: DAY },
      };
      const [first] = drawLines([dose as never], [vial], { timeZone: 'UTC', now: at, syringe: 'u100-1ml' });
      return first?.drawText;
    };
    expect(line(HCG, '250', 'IU')).toBe('10 units (0.1 ml)');
    expect(line(PEN, '1.2', 'IU')).toBe('12 clicks (0.12 ml)');
    expect(line(SPRAY, '200', 'mcg')).toBe('1 spray (0.1 ml)');
    expect(line(CAPSULES, '1', 'mg')).toBe('2 capsules');
    expect(line(CAPSULES, '750', 'mcg')).toContain('exact 1.5');
    // An amount in mg is never drawn from a pen in IU.
    expect(line(PEN, '1.2', 'mg')).toBeNull();
  });

  it('law: what the hand counts is never more than the container holds, and amount in is drawn plus left', () => {
    const forms = fc.constantFrom(HCG, PEN, SOLUTION, SPRAY, CAPSULES);
    fc.assert(
      fc.property(
        forms,
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 40 }),
        (fields, share, times) => {
          const full = made(fields);
          const dose = String((Number(full.totalAmount) * share) / 1000);
          let vial = full;
          let out = 0;
          for (let nth = 0; nth < times; nth += 1) {
            const { dosesLeft } = doseOfVial(vial, dose, 'u100-1ml');
            if (dosesLeft === '0') break;
            vial = takeFrom(vial, { id: `d${nth}`, mg: dose, at });
            out += Number(dose);
            const whole = drawOf(vial, vial.totalAmount);
            const left = drawOf(vial, vial.remaining === '0' ? dose : vial.remaining);
            expect(Number(left?.unitsText)).toBeLessThanOrEqual(Number(whole?.unitsText));
          }
          expect(Number(vial.remaining)).toBeGreaterThanOrEqual(0);
          expect(Number(vial.remaining) + out).toBeCloseTo(Number(full.totalAmount), 6);
        },
      ),
    );
  });
});

describe('which vial a dose comes from', () => {
  const plan = (vials: readonly Vial[], more: object = {}) =>
    planDraws(vials, { name: 'HCG', doseMg: '250', measure: 'IU', day: DAY, syringe: 'u100-1ml', ...more });

  it('is one of the same measure, opened ones first', () => {
    const inMg = made({ ...HCG, totalAmount: '5 mg' }, 'mg');
    const first = made(HCG, 'iu');
    expect(plan([inMg, first]).draws).toMatchObject([{ compoundId: 'iu', mg: '250', units: '10' }]);
    const pens = [
      made(PEN, 'new'),
      takeFrom(made({ ...PEN, expirationDate: '2027-01-01' }, 'open'), { id: 'd', mg: '1', at }),
    ];
    const request = { name: 'Somatropin', doseMg: '1.2' };
    expect(plan(pens, request).draws[0]?.compoundId).toBe('open');
    // A pen that was never used has only to be opened.
    expect(plan(pens.slice(0, 1), request)).toMatchObject({ draws: [{ compoundId: 'new' }], warnings: [] });
  });

  it.each([{}, { compoundId: 'mg' }, { preferredCompoundId: 'mg' }])(
    'is none of another measure: %j',
    (more) => {
      const inMg = made({ ...HCG, totalAmount: '5 mg' }, 'mg');
      expect(plan([inMg], more)).toMatchObject({
        draws: [],
        leftMg: null,
        warnings: [{ code: 'OTHER_MEASURE', compoundId: 'mg' }],
      });
    },
  );

  it('decides how long stock lasts', () => {
    const vials = [made(HCG, 'iu'), made({ ...HCG, totalAmount: '5 mg' }, 'mg')];
    expect(new Set(vials.map(stockKey)).size).toBe(2);
    const doses = Array.from({ length: 30 }, (_, day) => ({
      ...{
        name: 'HCG',
        day: `2026-03-${String(day + 1).padStart(2, '0')}`,
        mg: '250',
        measure: 'IU' as const,
      },
    }));
    const forecasts = forecastStock({
      vials,
      doses,
      knownNames: new Set(['hcg']),
      day: '2026-03-01',
      until: '2026-06-01',
    });
    expect(forecasts).toMatchObject([
      { measure: 'IU', stockMg: '5000', runOutDay: '2026-03-21' },
      { measure: 'mg', stockMg: '5', why: 'no-doses' },
    ]);
  });
});

describe('questions about another measure', () => {
  const setting = (more: Partial<AmountSetting> = {}): AmountSetting => ({
    ...{ usual: null, ceiling: null, taken: { sameDayMg: '0', weekMg: '0' }, leftMg: null, strength: null },
    syringe: 'u100-1ml',
    ...more,
  });
  const iu: Amount = { text: '250', unit: 'IU' };

  it.each([
    [iu, { kind: 'plan', amounts: [{ text: '250', unit: 'mcg' }] }],
    [
      { text: '2', unit: 'mg' },
      { kind: 'plan', amounts: [{ text: '2', unit: 'IU' }] },
    ],
    [iu, { kind: 'earlier', amounts: [{ text: '250', unit: 'mg' }] }],
  ] as const)('%j beside %j', (amount, usual) => {
    expect(amountWarnings(amount, setting({ usual }))).toMatchObject([{ code: 'OTHER_MEASURE' }]);
  });

  it('are asked about a limit in another unit, too, and not about the same measure', () => {
    const ceiling = { unit: 'mg', perDose: '5', perDay: null, per7Days: null } as const;
    expect(amountWarnings(iu, setting({ ceiling }))).toMatchObject([{ code: 'OTHER_MEASURE' }]);
    expect(amountWarnings(iu, setting({ ceiling: { ...ceiling, unit: 'IU', perDose: '300' } }))).toEqual([]);
    const usual = { kind: 'plan', amounts: [{ text: '25', unit: 'IU' }] } as const;
    expect(amountWarnings(iu, setting({ usual }))).toMatchObject([
      { code: 'ABOVE_PLAN', message: '250 IU is 10 × your planned 25 IU.' },
    ]);
  });

  it('are asked in words where a plan has one unit', () => {
    expect(doseInUnit('250 mcg', 'mg')).toBe('0.25');
    expect(otherMeasureProblem('10 IU', 'mg')).toContain('can’t be converted');
    expect(otherMeasureProblem('10 mg', 'IU')).toContain('Enter the dose in IU');
    expect(otherMeasureProblem('10', 'IU')).toBeNull();
  });
});

describe('texts and changes', () => {
  it('name the unit, and what a pen or a box of capsules is', () => {
    expect(vialRow(made(PEN), DAY)).toMatchObject({
      statusText: 'Unopened',
      formText: 'Pen, 0.01 ml a click',
      unit: 'IU',
    });
    expect(vialRow(made(CAPSULES), DAY)).toMatchObject({ formText: '60 capsules' });
    expect(vialDetail(made(CAPSULES), DAY, 'UTC')).toMatchObject({
      leftMlText: null,
      isUsable: true,
      isDrawn: false,
    });
    expect(vialLabel(made(HCG))).toMatchObject({
      contents: '5,000 IU, 2,500 IU/ml',
      lines: expect.arrayContaining([['Syringe', 'U-100: 100 IU is 4 units']]) as unknown,
    });
    expect(vialLabel(made(PEN)).lines).toContainEqual(['Draw', '1 IU is 10 clicks']);
  });

  it('keep the meaning of what was drawn', () => {
    const used = takeFrom(made(HCG), { id: 'd', mg: '250', at });
    expect(changedVial(used, { amountUnit: 'mg' })).toEqual({
      problems: { amountUnit: [VIAL_MESSAGES.measureDrawn] },
    });
    expect(changedVial(made(HCG), { amountUnit: 'mg' })).toMatchObject({ vial: { amountUnit: 'mg' } });
    expect(changedVial(made(PEN), { clickMl: null })).toEqual({
      problems: { clickMl: [VIAL_MESSAGES.clickMl] },
    });
    expect(contentsOf(made(PEN))[0]?.amount).toBe('15');
    expect(strengthOf(made({ name: 'A', totalAmount: '5' }))).toBeNull();
  });

  it('say what changed since the last dose, by what the hand counts', () => {
    const part = (fields: Record<string, unknown>, mg: string) => {
      const vial = made(fields);
      const { form, clickMl } = vial;
      const container = { form: form ?? undefined, clickMl: clickMl ?? undefined };
      return { vialId: vial.name, mg, strength: strengthOf(vial), strengthUnit: 'IU/ml', container };
    };
    const dose = (fields: Record<string, unknown>) => ({
      ...{ amount: { text: '1.2', unit: 'IU' as const }, syringe: 'u100-1ml' as const },
      parts: [part(fields, '1.2')],
    });
    const vial = { name: 'Vial', totalAmount: '15 IU', waterMl: '1.5', reconstitutionDate: DAY };
    expect(readBack(dose(PEN), dose(vial))).toBe(
      'First dose from this vial of 10 IU/ml, the same as the last one: 12 clicks, not 12 of U-100.',
    );
  });
});
