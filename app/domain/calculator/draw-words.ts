import { figureText } from '#app/domain/decimal/figure-text.ts';
import type { CalculationResult, HandNoun, MarkUnits, NearestMark, Syringe } from './calculation.ts';

// Needs no decimal arithmetic, so that pages load none.

/** "1 unit", "1,000 units", "5 clicks", "0.25 ml". @param text may be several draws, "100 + 96" */
export function countUnits(text: string, scale = '', noun: HandNoun = 'unit'): string {
  const figure = /^[\d.]+$/.test(text) ? figureText(text) : text;
  return `${figure} ${scale}${text === '1' || noun === 'ml' ? noun : `${noun}s`}`;
}

/** How far off the dose a mark is: "27.01% less"; null if it is the exact draw, or nothing can be measured. */
export function markErrorText({ units, isExact, errorPercentText }: NearestMark): string | null {
  if (isExact || units === 0) return null;
  const size = errorPercentText.replace('-', '');
  if (size === '0') return 'within 0.01%';
  return `${size}% ${errorPercentText.startsWith('-') ? 'less' : 'more'}`;
}

/** The mark to draw to: "10 units", "100 + 96 units", "5 clicks". @param scale named before the units, such as "U-40 " */
export function drawToText({ units, drawsText: text, noun }: NearestMark, scale = ''): string {
  return units === 0 ? 'Too small to measure' : countUnits(text, scale, noun);
}

/** A syringe filled to a mark. */
export interface SyringePicture {
  readonly syringe: Syringe;
  readonly mark: MarkUnits;
  /** Where the plunger is, in the numbers of the scale. */
  readonly units: number;
  readonly label: string;
}

/** The syringe as it is filled for a dose; full if it takes several draws. */
export function pictureOf(
  syringe: Syringe,
  mark: MarkUnits,
  { units, unitsText }: NearestMark,
  draws: number,
): SyringePicture {
  const { barrelUnits, scale } = syringe;
  if (units <= barrelUnits) return { syringe, mark, units, label: countUnits(unitsText, '', scale) };
  const label = `${countUnits(String(barrelUnits), '', scale)}, ${draws} draws`;
  return { syringe, mark, units: barrelUnits, label };
}

/** What to know about clicks, international units and the last dose of a result. */
export function resultNotes({
  amountUnit,
  desiredDoseWithUnit,
  form,
  lastPartText,
  massText,
  stepText,
}: CalculationResult): string[] {
  return [
    ...(stepText === undefined ? [] : [`There is ${stepText}.`]),
    ...(lastPartText === undefined || form === 'powder'
      ? []
      : [`After the last whole dose, ${lastPartText} is left.`]),
    ...(form === 'pen'
      ? ["The maker's instructions may forbid counting clicks, as those of Ozempic do. Follow them."]
      : []),
    ...(massText === undefined ? [] : [`${desiredDoseWithUnit} is ${massText}.`]),
    ...(amountUnit === 'IU' && form !== 'capsule'
      ? ['IU measure the substance. The marks of a syringe are units, which are something else.']
      : []),
  ];
}
