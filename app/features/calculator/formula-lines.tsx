import type { CalculationResult } from '#app/domain/calculator/calculation.ts';
import { Measured } from '#app/ui/measurement.tsx';

/** The arithmetic, written out so that it can be checked with a pencil. */
export function FormulaLines({ formula }: Pick<CalculationResult, 'formula'>) {
  return (
    <dl className="formula">
      {formula.map(({ name, rule, numbers, result }) => (
        <div key={name}>
          <dt>
            {name} <span className="text-soft">{`= ${rule}`}</span>
          </dt>
          <dd className="figure">
            <Measured text={`${numbers} = ${result}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
