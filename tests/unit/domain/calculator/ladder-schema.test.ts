import { describe, expect, it } from 'vitest';
import { MAX_LADDER_DOSES, parseLadder, parseLadderForm } from '#app/domain/calculator/ladder-schema.ts';

const LADDER = { peptideAmount: 30, doses: [2.5, 5] };

/** The input, or the names of the refused fields. */
const read = (more: Record<string, unknown>) => {
  const parsed = parseLadder({ ...LADDER, ...more });
  return parsed.ok ? parsed.input : Object.keys(parsed.fields);
};

describe('a ladder that is read', () => {
  it('has a usual syringe, a vial of 3 ml and doses in mg', () => {
    expect(read({})).toEqual({
      peptideAmount: '30',
      amountUnit: 'mg',
      doses: ['2.5', '5'],
      desiredDoseUnit: 'mg',
      syringe: 'u100-1ml',
      capacityMl: '3',
    });
  });

  it.each([
    [{ doses: ['250 mcg', '0.5 mg', '1000'] }, { desiredDoseUnit: 'mcg', doses: ['250', '500', '1000'] }],
    [
      { doses: ['250 mcg', '1'], desiredDoseUnit: 'mg' },
      { desiredDoseUnit: 'mg', doses: ['0.25', '1'] },
    ],
    [
      { peptideAmount: '5000 mcg', doses: ['5'] },
      { peptideAmount: '5', doses: ['5'] },
    ],
    [
      { peptideAmount: '5000 IU', doses: ['250', '500'] },
      { peptideAmount: '5000', amountUnit: 'IU', desiredDoseUnit: 'IU', doses: ['250', '500'] },
    ],
    [
      { peptideAmount: 5000, amountUnit: 'IU', doses: ['250 IU'] },
      { doses: ['250'], desiredDoseUnit: 'IU' },
    ],
    [{ syringe: 'ml-3ml' }, { syringe: 'ml-3ml' }],
    [{ capacityMl: '2.5 ml' }, { capacityMl: '2.5' }],
    [
      { capacityMl: null, syringe: '', amountUnit: 'mg' },
      { capacityMl: '3', syringe: 'u100-1ml' },
    ],
    [{ capacityMl: 0.5 }, { capacityMl: '0.5' }],
    [{ capacityMl: 10 }, { capacityMl: '10' }],
  ])('reads %j', (sent, input) => {
    expect(read(sent)).toMatchObject(input);
  });

  it.each([
    [{ peptideAmount: 0 }, ['peptideAmount']],
    [{ peptideAmount: 100.01, doses: [1] }, ['peptideAmount']],
    [{ peptideAmount: undefined }, ['peptideAmount']],
    [{ amountUnit: 'units' }, ['amountUnit']],
    [{ doses: ['1 IU'] }, ['doses']],
    [{ desiredDoseUnit: 'IU' }, ['doses']],
    [{ peptideAmount: '5000 IU', doses: ['250 mcg'] }, ['doses']],
    [{ peptideAmount: '100001 IU', doses: [1] }, ['peptideAmount']],
    [{ doses: [] }, ['doses']],
    [{ doses: undefined }, ['doses']],
    [{ doses: '2.5' }, ['doses']],
    [{ doses: [2.5, 0] }, ['doses']],
    [{ doses: [30.1] }, ['doses']],
    [{ doses: [null] }, ['doses']],
    [{ doses: ['10 units'] }, ['doses']],
    [{ doses: Array.from({ length: MAX_LADDER_DOSES + 1 }, () => 1) }, ['doses']],
    [{ desiredDoseUnit: 'g' }, ['desiredDoseUnit']],
    [{ syringe: 'u500' }, ['syringe']],
    [{ capacityMl: 0.49 }, ['capacityMl']],
    [{ capacityMl: 10.1 }, ['capacityMl']],
    [{ capacityMl: 'a lot' }, ['capacityMl']],
  ])('refuses %j', (sent, fields) => {
    expect(read(sent)).toEqual(fields);
  });

  it('is read from an address whose doses are repeated, with the message at the wrong one', () => {
    const read = (query: string) => parseLadderForm(new URLSearchParams(query));
    expect(read('peptideAmount=30&dose=2.5&dose=&dose=5&dose=')).toMatchObject({
      ok: true,
      input: { doses: ['2.5', '5'] },
      values: { doses: ['2.5', '5'], peptideAmount: '30' },
    });
    expect(read('peptideAmount=30&dose=2.5&dose=31')).toMatchObject({
      ok: false,
      fields: { 'dose-2': [expect.any(String)] },
      values: { doses: ['2.5', '31'] },
    });
    expect(read('peptideAmount=30&dose=')).toMatchObject({
      ok: false,
      fields: { 'dose-1': [expect.any(String)] },
    });
  });
});
