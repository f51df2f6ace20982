import { expect, it } from 'vitest';
import { QUICK_SIZES, SIZE_BUTTON, withSize } from '#app/domain/calculator/quick-sizes.ts';

const after = (query: string) => Object.fromEntries(withSize(new URLSearchParams(query)) ?? []);

it('a size of one press fills in the amount and its measure, and leaves the rest', () => {
  expect(after('size=5+mg&waterVolume=2')).toEqual({
    peptideAmount: '5',
    amountUnit: 'mg',
    waterVolume: '2',
  });
  expect(after('size=5,000+IU&desiredDose=250&desiredDoseUnit=mg')).toEqual({
    ...{ peptideAmount: '5000', amountUnit: 'IU', desiredDose: '250', desiredDoseUnit: 'IU' },
  });
  expect(after('size=10+mg&desiredDoseUnit=IU')).toMatchObject({ desiredDoseUnit: 'mg' });
  expect(after('size=10+mg&desiredDoseUnit=mcg')).toMatchObject({ desiredDoseUnit: 'mcg' });
  expect(after('size=x&peptideAmount=3')).toEqual({ peptideAmount: '3' });
  expect(withSize(new URLSearchParams('peptideAmount=3'))).toBeNull();
  for (const size of QUICK_SIZES) expect(after(`${SIZE_BUTTON}=${size}`)['peptideAmount']).toMatch(/^\d+$/);
});
