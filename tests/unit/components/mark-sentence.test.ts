import { describe, expect, it } from 'vitest';
import { markSentence } from '#app/features/calculator/result-panel.tsx';
import { FIVE_IN_TWO, resultOf } from './calculator-fixture.tsx';

describe('markSentence', () => {
  it('says that the draw is on a mark', () => {
    expect(markSentence(resultOf(FIVE_IN_TWO))).toBe(
      '0.100 ml is 10 units on a U-100 1 ml syringe, exactly on a mark.',
    );
  });

  it('names the nearest mark', () => {
    const sentence = markSentence(resultOf({ peptideAmount: '100', waterVolume: '0.5', desiredDose: '2.5' }));
    expect(sentence).toBe('0.013 ml is 1.25 units on a U-100 1 ml syringe. The nearest mark is 1.');
  });

  it('states the number of draws if the barrel is too small', () => {
    const sentence = markSentence(resultOf({ peptideAmount: '0.1', waterVolume: '10', desiredDose: '0.05' }));
    expect(sentence).toBe('5.000 ml is 500 units on a U-100 1 ml syringe: 5 draws of the 1 ml barrel.');
  });

  it('offers no mark below the first one', () => {
    const sentence = markSentence(resultOf({ peptideAmount: '100', waterVolume: '1', desiredDose: '0.1' }));
    expect(sentence).toMatch(/below its first mark\.$/);
  });
});
