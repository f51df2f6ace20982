import type { MarkUnits, Syringe } from '#app/domain/calculator/calculation.ts';

/** The barrel in the drawing's own units: its left end (0 on the scale), length, top and height. */
export const BARREL = { x: 36, y: 34, width: 280, height: 38 } as const;

/** The lower edge of the barrel. */
export const BOTTOM = BARREL.y + BARREL.height;
/** The barrel extends a little past the last mark. */
export const END = BARREL.x + BARREL.width + 15;

interface ScaleLabel {
  x: number;
  text: string;
}

/** The position of a number of units along the barrel, rounded to 0.01 so that server and browser render the same. */
export function positionOf(units: number, syringe: Syringe): number {
  const clamped = Math.min(Math.max(units, 0), syringe.barrelUnits);
  return Math.round((BARREL.x + (BARREL.width * clamped) / syringe.barrelUnits) * 100) / 100;
}

const MOST_LABELS = 10;

/** How many marks lie between two printed numbers: the fewest of 1, 2, 5, 10, 20 … that leave room for the numbers. */
function marksPerLabel({ barrelUnits, marks }: Syringe): number {
  const count = Math.round(barrelUnits / Number(marks[0]));
  for (let power = 1; ; power *= 10)
    for (const marksApart of [power, 2 * power, 5 * power])
      if (count / marksApart <= MOST_LABELS) return marksApart;
}

/** A number of the scale, without the error of a binary multiplication. */
const numberAt = (marks: number, mark: MarkUnits): number => Number((marks * Number(mark)).toFixed(4));

/** The number between two printed ones. */
const labelStep = (syringe: Syringe): number => numberAt(marksPerLabel(syringe), syringe.marks[0]);

const isMultiple = (units: number, step: number): boolean =>
  Math.abs(units / step - Math.round(units / step)) < 1e-6;

/** The marks as one path: longer ones at the printed numbers and half way, the longest every 1, 2 or 10 of what is counted. */
export function markPath(syringe: Syringe, mark: MarkUnits): string {
  const step = labelStep(syringe);
  const longest = /^[0.]*5/.test(String(step)) ? 2 * step : step;
  const count = Math.round(syringe.barrelUnits / Number(mark));
  let path = '';
  for (let index = 0; index <= count; index += 1) {
    const units = numberAt(index, mark);
    const isLonger = isMultiple(units, longest) ? 14 : isMultiple(units, longest / 2) ? 10 : 0;
    path += `M${positionOf(units, syringe)} ${BARREL.y}v${isLonger || (Number.isInteger(units) ? 6 : 4)}`;
  }
  return path;
}

/** The printed numbers, at most ten: every 10 units of a 1 ml U-100 barrel, every 5 of a 0.3 ml one. */
export function scaleLabels(syringe: Syringe): ScaleLabel[] {
  const [mark] = syringe.marks;
  const apart = marksPerLabel(syringe);
  const count = Math.round(syringe.barrelUnits / Number(mark));
  const labels: ScaleLabel[] = [];
  for (let index = apart; index <= count; index += apart) {
    const units = numberAt(index, mark);
    labels.push({ x: positionOf(units, syringe), text: String(units) });
  }
  return labels;
}
