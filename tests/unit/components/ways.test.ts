import { describe, expect, it } from 'vitest';
import { SOLVED_FIELD } from '#app/domain/calculator/calculation.ts';
import { isFilled, solveForOf } from '#app/features/calculator/calculator-state.ts';

const form = (fields: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

describe('ways of solving', () => {
  it('defaults to the draw', () => {
    expect([
      solveForOf({}),
      solveForOf({ solveFor: 'water' }),
      solveForOf(form({ solveFor: 'nonsense' })),
    ]).toEqual(['volume', 'water', 'volume']);
  });

  it('is complete if its three fields are filled', () => {
    expect(isFilled({ peptideAmount: '5', waterVolume: '2', desiredDose: '1' })).toBe(true);
    expect(isFilled({ peptideAmount: '5', waterVolume: ' ', desiredDose: '1' })).toBe(false);
    expect(
      isFilled(form({ solveFor: 'water', peptideAmount: '5', desiredDose: '1', drawVolume: '0.1' })),
    ).toBe(true);
    expect(
      isFilled(form({ solveFor: 'water', peptideAmount: '5', desiredDose: '1', waterVolume: '2' })),
    ).toBe(false);
    expect(isFilled({ solveFor: 'dose', peptideAmount: '5', waterVolume: '2', drawVolume: '1' })).toBe(true);
  });

  it('names the field it solves for', () => {
    expect(SOLVED_FIELD.water).toBe('waterVolume');
    expect(SOLVED_FIELD.dose).toBe('desiredDose');
  });
});
