import type { CalculationResult, SolveFor } from '#app/domain/calculator/calculation.ts';
import { Figure } from '#app/ui/statistic.tsx';
import { unitWord } from './mark-sentence.ts';

export const HEADING = { volume: 'Draw', water: 'Water to add', dose: 'Dose in this draw' } as const;

/** An empty frame of the same shape. */
function Blank({ way }: { way: SolveFor }) {
  const unit = way === 'volume' ? 'units' : way === 'water' ? 'ml' : 'mg';
  return (
    <p className="headline text-soft" aria-hidden="true">
      <Figure value="–" unit={unit} />
      {way === 'volume' ? <Figure value="–" unit="ml" className="headline-second" /> : null}
    </p>
  );
}

/** The number the hand needs, the largest thing on the page; the other of the pair beside it. */
export function Headline({ result, way }: { result: CalculationResult | null; way: SolveFor }) {
  if (!result) return <Blank way={way} />;
  const units = unitWord(result.unitsText);
  const volume = result.injectionVolumeText;
  if (result.solveFor === 'volume') {
    return (
      <p className="headline">
        <Figure value={result.unitsText} unit={units} />
        <Figure value={volume} unit="ml" className="headline-second" />
      </p>
    );
  }
  const [solved = '', solvedUnit] = result.solvedText.split(' ');
  return (
    <p className="headline">
      <Figure value={solved} unit={solvedUnit} />
      <Figure value={`${volume} ml = ${result.unitsText}`} unit={units} className="headline-third" />
    </p>
  );
}
