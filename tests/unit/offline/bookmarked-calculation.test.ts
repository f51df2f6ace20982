import { describe, expect, it } from 'vitest';
import { bookmarkedCalculation } from '#app/features/offline/bookmarked-calculation.ts';

const QUERY = 'peptideAmount=5&waterVolume=2&desiredDose=250&desiredDoseUnit=mcg';

describe('a bookmarked calculation opened offline', () => {
  it.each(['/calculator', '/dashboard', '/dashboard/calculator'])('is shown for %s', (path) => {
    const shown = bookmarkedCalculation(`${path}?${QUERY}&recommendations=1#result`);
    expect(shown?.values).toMatchObject({ peptideAmount: '5', desiredDoseUnit: 'mcg' });
    expect(shown?.result?.summary).toContain('0.25 mg = 0.100 ml (10 units)');
  });

  it('has errors for what cannot be computed', () => {
    expect(bookmarkedCalculation('/calculator?peptideAmount=500&waterVolume=2&desiredDose=1')).toMatchObject({
      result: null,
      errors: { peptideAmount: ['Peptide amount must be between 0.1mg and 100mg'] },
    });
  });

  it.each([null, '/calculator', '/calculator?recommendations=1', `/dashboard/vials?${QUERY}`])(
    'is not found in %s',
    (from) => expect(bookmarkedCalculation(from)).toBeNull(),
  );
});
