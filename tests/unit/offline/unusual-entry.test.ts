import { describe, expect, it } from 'vitest';
import { questionAbout, type KnownPlans } from '#app/features/offline/unusual-entry.ts';

const line = (name: string, amountText: string) => ({ name, amountText });
const known = {
  today: { open: [], done: [], ahead: [line('BPC-157', '250 mcg')], asNeeded: [line('PT-141', '1,500 mcg')] },
  vials: [{ name: 'TB-500', remainingText: '4.75' }],
} as unknown as KnownPlans;
const ask = (name: string, actualDose: string, doseUnit: string) =>
  questionAbout('dose-logged', { name, actualDose, doseUnit }, known);

describe('an unplanned dose that is entered offline', () => {
  it('is asked about beside the plan on the device, with the planned amount to change to', () => {
    expect(ask('bpc-157', '5', 'mg')).toEqual({
      messages: [expect.stringContaining('20 × your planned 250 mcg')],
      slip: { words: '20 times your planned dose: 5 mg, not 250 mcg', typed: '5 mg', meant: '250 mcg' },
      answer: { confirmed: ['ABOVE_PLAN'], confirmedAmount: 'bpc-157 5 mg' },
    });
    expect(ask('PT-141', '150 mcg', 'mg')?.slip?.meant).toBe('1,500 mcg');
  });

  it('is asked about beside what is left in the vial', () => {
    expect(ask('TB-500', '50', 'mg')).toMatchObject({
      slip: undefined,
      answer: { confirmed: ['ABOVE_VIAL'] },
    });
  });

  it('is not asked about as planned, or when the device knows nothing', () => {
    for (const [name, dose, unit] of [
      ['BPC-157', '250', 'mcg'],
      ['BPC-157', '0.25', 'mg'],
      ['Unknown', '5', 'mg'],
    ] as const)
      expect(ask(name, dose, unit)).toBeNull();
    expect(questionAbout('site', { site: 'deltoid-left' }, known)).toBeNull();
  });
});
