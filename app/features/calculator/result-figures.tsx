import type { CalculationResult } from '#app/domain/calculator/calculation.ts';
import { Figure } from '#app/ui/statistic.tsx';

/** Concentration and doses per vial, side by side under the drawing. */
export function ResultFigures({ result }: { result: CalculationResult }) {
  return (
    <dl className="result-figures">
      <div>
        <dt>Concentration</dt>
        <dd>
          <Figure value={result.concentrationText} unit="mg/ml" />
        </dd>
      </div>
      <div>
        <dt>Doses per vial</dt>
        <dd>
          <Figure value={String(result.dosesPerVial)} />
        </dd>
      </div>
    </dl>
  );
}
