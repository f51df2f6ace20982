import type { CalculationResult } from '#app/domain/calculator/calculation.ts';
import { FORM_ID } from './calculator-state.ts';
import { countUnits } from './mark-sentence.ts';

/** The result in one line at the bottom edge of a phone while the inputs above change. Announced as it changes. */
export function StickySummary({ result }: { result: CalculationResult | null }) {
  const text = result
    ? `${countUnits(result.unitsText)} · ${result.injectionVolumeText} ml · ${result.concentrationText} mg/ml`
    : '';
  return (
    <output form={FORM_ID} aria-live="polite" className={result ? 'sticky-line figure' : 'sr-only'}>
      {text}
    </output>
  );
}
