import { Link } from '@remix-run/react';
import {
  DEFAULT_SYRINGE,
  SYRINGE_IDS,
  SYRINGES,
  type CalculationResult,
  type SolveFor,
  type Syringe,
} from '#app/domain/calculator/calculation.ts';
import { countUnits } from '#app/domain/calculator/nearest-mark.ts';
import { DrawHeadline, DrawTo, ExactDraw } from '#app/ui/draw-headline.tsx';
import { Measured, Figure } from '#app/ui/figure.tsx';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Button, LinkButton, CopyButton } from '#app/ui/button.tsx';
import { Field, TextArea } from '#app/ui/fields.tsx';
import {
  firstError,
  FORM_ID,
  type CalculatorValues,
  type SaveState,
  type CalculatorOutcome,
} from './calculator-state.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { SyringeDrawing } from './syringe-drawing.tsx';

/** Says what the exact draw is on the scale of the syringe. */
export function markSentence(result: CalculationResult): string {
  const { syringe, nearestMark, unitsText, injectionVolumeText, drawsNeeded } = result;
  const draw = `${injectionVolumeText} ml is ${countUnits(unitsText)} on a ${syringe.label} syringe`;
  if (drawsNeeded > 1) return `${draw}: ${drawsNeeded} draws of the ${syringe.barrelMl} ml barrel.`;
  if (nearestMark.units === 0) return `${draw}, below its first mark.`;
  return nearestMark.isExact
    ? `${draw}, exactly on a mark.`
    : `${draw}. The nearest mark is ${nearestMark.unitsText}.`;
}

interface ResultPanelProps {
  outcome: CalculatorOutcome;
  /** What is being solved for, even without a result. */
  way: SolveFor;
  values: CalculatorValues;
  save: SaveState;
  action: string;
  vialHref?: string;
  /** Shown while nothing is typed. */
  example?: Example;
}

const HEADING = { volume: 'Draw', water: 'Water to add', dose: 'Dose in this draw' } as const;

/** The result: figures, drawing, arithmetic, warnings and actions. */
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

function syringeOf(id: string | undefined): Syringe {
  return SYRINGES[SYRINGE_IDS.find((known) => known === id) ?? DEFAULT_SYRINGE];
}

function Drawing({ result, syringeId }: Pick<CalculatorOutcome, 'result'> & { syringeId?: string }) {
  if (!result) {
    const empty = syringeOf(syringeId);
    return <SyringeDrawing syringe={empty} mark={empty.marks[0] ?? '1'} units={0} />;
  }
  const { syringe, mark, nearestMark, drawsNeeded } = result;
  const isFull = nearestMark.units > syringe.barrelUnits;
  return (
    <SyringeDrawing
      syringe={syringe}
      mark={mark}
      units={isFull ? syringe.barrelUnits : nearestMark.units}
      label={
        isFull
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
      {result.measured ? (
        <Notice tone="info" role="note">
          <Measured text={result.measured.note} />
        </Notice>
      ) : null}
      {result.warnings.map(({ code, message }) => (
        <Notice key={code} tone="warning" role="note">
          {message}
        </Notice>
      ))}
      {result.doseOf ? <ComponentDoses {...result} /> : null}
      <ResultFigures result={result} />
      {save.kind === 'open' ? <SaveFields {...save} values={values} errors={errors} /> : null}
      <ResultActions summary={result.summary} save={save} action={action} vialHref={vialHref} />
      <FormulaLines formula={result.formula} />
      <p className="summary-line">
        <Measured text={result.summary} />
      </p>
    </>
  );
}

function Waiting({ values, save, errors }: Pick<ResultPanelProps, 'values' | 'save'> & CalculatorOutcome) {
  return (
    <>
      <p className="text-soft">
        Enter what is in the vial and the dose. The units to draw, the volume and the concentration appear
        here.
      </p>
      {save.kind === 'open' ? <SaveFields {...save} values={values} errors={errors} /> : null}
    </>
  );
}

/** The most important number, largest on the page, with the second one next to it. */
function Headline({ result, way }: { result: CalculationResult | null; way: SolveFor }) {
  if (!result) return <Blank way={way} />;
  const { nearestMark, unitsText, injectionVolumeText } = result;
  const drawn = { mark: nearestMark, unitsText, volumeText: injectionVolumeText };
  if (result.solveFor === 'volume') return <DrawHeadline {...drawn} />;
  const [solved = '', solvedUnit] = result.solvedText.split(' ');
  return (
    <p className="headline">
      <Figure value={solved} unit={solvedUnit} />
      {nearestMark.isExact ? (
        <Figure
          value={`${injectionVolumeText} ml = ${nearestMark.drawsText}`}
          unit={nearestMark.drawsText === '1' ? 'unit' : 'units'}
          className="headline-third"
        />
      ) : (
        <>
          <DrawTo mark={nearestMark} className="headline-third" />
          <ExactDraw {...drawn} />
        </>
      )}
    </p>
  );
}

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

/** The dose of each peptide in one draw of a blend. */
function ComponentDoses({ components, totalAmountText }: CalculationResult) {
  return (
    <dl className="formula">
      {components.map(({ name, amountText, concentrationText, doseWithUnit }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figure">
            <Measured
              text={`${doseWithUnit} in this draw; ${amountText} of ${totalAmountText} mg, ${concentrationText} mg/ml`}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Concentration and doses per vial, side by side under the drawing. */
function ResultFigures({ result }: { result: CalculationResult }) {
  return (
    <dl className="result-figures">
      <div>
        <dt>{result.doseOf ? `Concentration of ${result.doseOf}` : 'Concentration'}</dt>
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

/** The arithmetic, written out so that it can be checked by hand. */
function FormulaLines({ formula }: Pick<CalculationResult, 'formula'>) {
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

const SAVE_ID = 'save';

interface SaveFieldsProps extends Omit<Extract<SaveState, { kind: 'open' }>, 'kind'> {
  values: CalculatorValues;
  errors: FieldErrors;
}

/** Save mode: a name and notes, and the one button that saves. Its controls belong to the form on the left. */
function SaveFields({ action, cancelHref, saveKey, values, errors }: SaveFieldsProps) {
  const field = (name: string) => ({
    name,
    form: FORM_ID,
    defaultValue: values[name],
    error: firstError(errors, name),
  });
  return (
    <fieldset id={SAVE_ID} className="grid scroll-mt-4 gap-4 border-t border-line pt-4">
      <legend className="sr-only">Save this calculation</legend>
      <input type="hidden" name="saveKey" value={saveKey} form={FORM_ID} />
      <Field
        {...field('peptideName')}
        label="Peptide name"
        hint="Optional. Find it in the history by this name."
      />
      <TextArea {...field('notes')} label="Notes" />
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" form={FORM_ID} formMethod="post" formAction={action}>
          Save Calculation
        </Button>
        <LinkButton to={cancelHref} variant="plain">
          Cancel
        </LinkButton>
      </div>
    </fieldset>
  );
}

interface ResultActionsProps {
  summary: string;
  save: SaveState;
  /** The URL of this calculator. Save mode is opened by a GET of it that keeps what was typed. */
  action: string;
  /** The form for a new vial, which reads the calculator's fields from its URL. */
  vialHref?: string;
}

/** The attributes of a button that opens save mode: a GET of this page that keeps what was typed. */
export function openSaveMode(save: Extract<SaveState, { kind: 'offer' }>, action: string) {
  return { form: FORM_ID, name: 'mode', value: 'save', formAction: `${save.action ?? action}#${SAVE_ID}` };
}

function ResultActions({ summary, save, action, vialHref }: ResultActionsProps) {
  return (
    <div className="no-print flex flex-wrap items-center gap-3 empty:hidden">
      {save.kind === 'offer' ? <Button {...openSaveMode(save, action)}>Save Calculation</Button> : null}
      <CopyButton text={summary} />
      {vialHref ? (
        <Button form={FORM_ID} formAction={vialHref}>
          Save as vial
        </Button>
      ) : null}
      {save.kind === 'signed-out' ? (
        <>
          {save.isOffline ? null : (
            <Button form={FORM_ID} formAction="/register">
              Create an account to keep it
            </Button>
          )}
          <p className="text-sm">
            <Link to={save.signInHref} className="inline-flex min-h-11 items-center">
              Sign in to save this calculation
            </Link>
          </p>
        </>
      ) : null}
    </div>
  );
}

/** An example for the empty calculator. It is marked as such and disappears with the first digit. */
export interface Example {
  /** "5 mg in 2 ml, 250 mcg a dose" */
  text: string;
  result: CalculationResult;
  /** The calculator with these figures in it. */
  href: string;
}

/** Beside the panel's title while the example is shown. */
function ExampleBadge() {
  return <Badge tone="soft">Example</Badge>;
}

/** The example in words, and a link to open it. */
function ExampleNote({ example }: { example: Example }) {
  return (
    <div className="grid gap-1">
      <p>
        <Measured text={`Example: ${example.text}. Your own result appears here as you type.`} />
      </p>
      <p>
        <Link to={example.href} className="inline-flex min-h-11 items-center">
          Open this example
        </Link>
      </p>
    </div>
  );
}
