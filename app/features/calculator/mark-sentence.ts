import type { CalculationResult } from '#app/domain/calculator/calculation.ts';

export function unitWord(text: string): string {
  return text === '1' ? 'unit' : 'units';
}

/** "1 unit", "10 units". */
export function countUnits(text: string): string {
  return `${text} ${unitWord(text)}`;
}

/** What the scale makes of the exact draw, as a colleague would say it. */
export function markSentence(result: CalculationResult): string {
  const { syringe, nearestMark, unitsText, injectionVolumeText, drawsNeeded } = result;
  const draw = `${injectionVolumeText} ml is ${countUnits(unitsText)} on a ${syringe.label} syringe`;
  if (drawsNeeded > 1) return `${draw}: ${drawsNeeded} draws of the ${syringe.barrelMl} ml barrel.`;
  if (nearestMark.units === 0) return `${draw}, below its first mark.`;
  const off = nearestMark.errorPercentText;
  if (Number(off) === 0 && nearestMark.unitsText === unitsText) return `${draw}, exactly on a mark.`;
  const size = off.replace(/^[-+−]/, '');
  const way = off.startsWith('-') || off.startsWith('−') ? 'less' : 'more';
  const error = Number(off) === 0 ? 'within 0.01 % of the dose' : `${size} % ${way} than wanted`;
  return `${draw}. The nearest mark is ${nearestMark.unitsText}: it delivers ${nearestMark.deliveredDoseWithUnit}, ${error}.`;
}
