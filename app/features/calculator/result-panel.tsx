import { DEFAULT_SYRINGE, SYRINGE_IDS, SYRINGES, type Syringe } from '#app/domain/calculator/syringes.ts';
import type { CalculationResult, SolveFor } from '#app/domain/calculator/calculation.ts';
import { Measured } from '#app/ui/measurement.tsx';
import { Notice } from '#app/ui/notice.tsx';
import type { CalculatorOutcome, CalculatorValues, SaveState } from './calculator-state.ts';
import { ExampleBadge, ExampleNote, type Example } from './example.tsx';
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
  /** Shown while nothing is typed. */
  example?: Example;
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

function Answer({
  result,
  errors,
  values,
  save,
  action,
  vialHref,
}: Omit<ResultPanelProps, 'outcome' | 'way' | 'example'> &
  CalculatorOutcome & { result: CalculationResult }) {
  return (
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
  );
}

function Waiting({ values, save, errors }: Pick<ResultPanelProps, 'values' | 'save'> & CalculatorOutcome) {
  return (
    <>
      <p className="text-soft">
        Write down what is in the vial and the dose. The units to draw, the volume and the concentration
        appear here.
      </p>
      {save.kind === 'open' ? <SaveFields {...save} values={values} errors={errors} /> : null}
    </>
  );
}

/** The answer: figures, drawing, arithmetic, warnings, and what to do with it. */
export function ResultPanel({ outcome, way, example, ...rest }: ResultPanelProps) {
  const { result } = outcome;
  const shown = result ?? example?.result ?? null;
  const isExample = result === null && example !== undefined;
  return (
    <section
      aria-labelledby="result-title"
      className="sheet result-panel"
      id="result"
      data-example={isExample || undefined}
    >
      <div className="flex items-center justify-between gap-3">
        <h2 id="result-title">{HEADING[shown?.solveFor ?? way]}</h2>
        {isExample ? <ExampleBadge /> : null}
      </div>
      <Headline result={shown} way={way} />
      <Drawing result={shown} syringeId={rest.values['syringe']} />
      {isExample ? <ExampleNote example={example} /> : null}
      {result ? <Answer {...rest} {...outcome} result={result} /> : null}
      {shown ? null : <Waiting {...rest} {...outcome} />}
    </section>
  );
}
