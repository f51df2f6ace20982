import type { MarkUnits, Syringe } from '#app/domain/calculator/calculation.ts';

/** The barrel in the drawing's own units: its left end (0 on the scale), length, top and height. */
export const BARREL = { x: 36, y: 34, width: 280, height: 38 } as const;

export interface ScaleLabel {
  x: number;
  text: string;
}

/** Where a count of units lies along the barrel, rounded to a hundredth so that server and browser print the same. */
export function positionOf(units: number, syringe: Syringe): number {
  const clamped = Math.min(Math.max(units, 0), syringe.barrelUnits);
  return Math.round((BARREL.x + (BARREL.width * clamped) / syringe.barrelUnits) * 100) / 100;
}

/** The marks as one path: short for each, longer at 5, longest at 10 units. */
export function markPath(syringe: Syringe, mark: MarkUnits): string {
  const step = Number(mark);
  const count = Math.round(syringe.barrelUnits / step);
  let path = '';
  for (let index = 0; index <= count; index += 1) {
    const units = index * step;
    const length = units % 10 === 0 ? 14 : units % 5 === 0 ? 10 : Number.isInteger(units) ? 6 : 4;
    path += `M${positionOf(units, syringe)} ${BARREL.y}v${length}`;
  }
  return path;
}

/** The printed numbers: every 5 units on small barrels, every 10 on the others. */
export function scaleLabels(syringe: Syringe): ScaleLabel[] {
  const step = syringe.barrelUnits <= 50 ? 5 : 10;
  const labels: ScaleLabel[] = [];
  for (let units = step; units <= syringe.barrelUnits; units += step) {
    labels.push({ x: positionOf(units, syringe), text: String(units) });
  }
  return labels;
}
