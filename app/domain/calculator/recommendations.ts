import { drawForDose } from './draw-for-dose.ts';
import type { CalculationResult } from './calculation.ts';
import { dosageHints, type DosageHint } from './research-reference.ts';

/** A hint with the draw that holds it at the concentration of a result. */
export interface DosageRecommendation extends DosageHint {
  /** "0.100 ml" or "0.100–0.200 ml"; absent without a result. */
  readonly injectionVolume?: string;
  /** Units of the result's syringe, "10" or "10–20"; absent without a result. */
  readonly units?: string;
}

const rangeText = (from: string, to: string): string => (from === to ? from : `${from}–${to}`);

/**
 * The rows of the recommendations panel for a name as typed. Empty for an unknown name: show `NO_REFERENCE`.
 * @param result adds volume and units at its concentration
 */
export function dosageRecommendations(
  name: string,
  result?: CalculationResult,
): readonly DosageRecommendation[] {
  const hints = dosageHints(name);
  if (result === undefined) return hints;
  return hints.map((hint) => {
    const least = drawForDose(result, hint.minMg);
    const most = drawForDose(result, hint.maxMg);
    return {
      ...hint,
      injectionVolume: `${rangeText(least.volumeText, most.volumeText)} ml`,
      units: rangeText(least.unitsText, most.unitsText),
    };
  });
}
