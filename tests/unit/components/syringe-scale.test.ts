import { describe, expect, it } from 'vitest';
import { BARREL, markPath, positionOf, scaleLabels } from '#app/features/calculator/syringe-scale.ts';
import { SYRINGE_IDS, SYRINGES } from '#app/domain/calculator/calculation.ts';

const countMarks = (path: string) => path.split('M').length - 1;

describe('the syringe scale', () => {
  it.each(SYRINGE_IDS)('puts zero at the needle and a full %s at the end', (id) => {
    const syringe = SYRINGES[id];
    expect(positionOf(0, syringe)).toBe(BARREL.x);
    expect(positionOf(syringe.barrelUnits, syringe)).toBe(BARREL.x + BARREL.width);
    expect(positionOf(syringe.barrelUnits / 2, syringe)).toBe(BARREL.x + BARREL.width / 2);
  });

  it('keeps a draw inside the barrel', () => {
    expect(positionOf(1e6, SYRINGES['u40-1ml'])).toBe(BARREL.x + BARREL.width);
    expect(positionOf(-1, SYRINGES['u40-1ml'])).toBe(BARREL.x);
  });

  it.each([
    ['u100-1ml', '1', 101],
    ['u100-1ml', '2', 51],
    ['u100-0.5ml', '1', 51],
    ['u100-0.3ml', '0.5', 61],
    ['u40-1ml', '1', 41],
  ] as const)('draws every mark of %s at %s units', (id, mark, count) => {
    expect(countMarks(markPath(SYRINGES[id], mark))).toBe(count);
  });

  it('numbers every 10 units, every 5 on small barrels, up to the last', () => {
    expect(
      scaleLabels(SYRINGES['u100-1ml'])
        .map(({ text }) => text)
        .slice(-2),
    ).toEqual(['90', '100']);
    expect(scaleLabels(SYRINGES['u100-0.3ml']).map(({ text }) => text)).toEqual([
      '5',
      '10',
      '15',
      '20',
      '25',
      '30',
    ]);
  });

  it('puts each number at its mark', () => {
    const syringe = SYRINGES['u40-1ml'];
    for (const { x, text } of scaleLabels(syringe)) expect(x).toBe(positionOf(Number(text), syringe));
  });
});
