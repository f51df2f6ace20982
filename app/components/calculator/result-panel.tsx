import { DEFAULT_SYRINGE, SYRINGE_IDS, SYRINGES, type Syringe } from '#app/domain/calculator/syringes.ts';
import type { SolveFor } from '#app/domain/calculator/types.ts';
import { Measured } from '../ui/measured.tsx';
import { Notice } from '../ui/notice.tsx';
import type { CalculatorOutcome, CalculatorValues, SaveState } from './calculator-state.ts';
import { FormulaLines } from './formula-lines.tsx';
import { Headline, HEADING } from './headline.tsx';
import { countUnits, markSentence } from './mark-sentence.ts';
import { ResultFigures } from './result-figures.tsx';
import { ResultActions, SaveFields } from './save-section.tsx';
import { SyringeDrawing } from './syringe-drawing.tsx';

interface ResultPanelProps {
  outcome: CalculatorOutcome;
  /** What is being solved for, also while there is no result. */
  way: SolveFor;
  values: CalculatorValues;
  save: SaveState;
  action: string;
  vialHref?: string;
}

function syringeOf(id: string | undefined): Syringe {
  return SYRINGES[SYRINGE_IDS.find((known) => known === id) ?? DEFAULT_SYRINGE];
}

function Drawing({ result, syringeId }: Pick<CalculatorOutcome, 'result'> & { syringeId?: string }) {
  if (!result) {
    const empty = syringeOf(syringeId);
    return <SyringeDrawing syringe={empty} mark={empty.marks[0] ?? '1'} units={0} />;
  }
  const { syringe, mark, nearestMark, drawsNeeded } = result;
  const full = drawsNeeded > 1;
  return (
    <SyringeDrawing
      syringe={syringe}
      mark={mark}
      units={full ? syringe.barrelUnits : nearestMark.units}
      label={
        full
          ? `${countUnits(String(syringe.barrelUnits))}, ${drawsNeeded} draws`
          : countUnits(nearestMark.unitsText)
      }
    />
  );
}

/** The answer: figures, drawing, arithmetic, warnings, and what to do with it. */
export function ResultPanel({ outcome, way, values, save, action, vialHref }: ResultPanelProps) {
  const { result, errors } = outcome;
  return (
    <section aria-labelledby="result-title" className="sheet result-panel" id="result">
      <h2 id="result-title">{HEADING[result?.solveFor ?? way]}</h2>
      <Headline result={result} way={way} />
      <Drawing result={result} syringeId={values.syringe} />
      {result ? (
        <>
          <p>
            <Measured text={markSentence(result)} />
          </p>
          {result.warnings.map(({ code, message }) => (
            <Notice key={code} tone="warning" role="note">
              {message}
            </Notice>
          ))}
          <ResultFigures result={result} />
          <FormulaLines formula={result.formula} />
          <p className="summary-line">
            <Measured text={result.summary} />
          </p>
          {save.kind === 'open' ? <SaveFields {...save} values={values} errors={errors} /> : null}
          <ResultActions summary={result.summary} save={save} action={action} vialHref={vialHref} />
        </>
      ) : (
        <>
          <p className="text-soft">
            Write down what is in the vial and the dose. The units to draw, the volume and the concentration
            appear here.
          </p>
          {save.kind === 'open' ? <SaveFields {...save} values={values} errors={errors} /> : null}
        </>
      )}
    </section>
  );
}
