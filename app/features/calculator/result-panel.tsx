import { figureText } from '#app/domain/decimal/figure-text.ts';
import { Link } from '@remix-run/react';
import {
  DEFAULT_SYRINGE,
  defaultMark,
  isDrawn,
  findSyringe,
  OWN_PREFIX,
  aSyringe,
  syringeOf,
  type OwnSyringe,
  type CalculationResult,
  type SolveFor,
} from '#app/domain/calculator/calculation.ts';
import { countUnits, pictureOf, resultNotes } from '#app/domain/calculator/draw-words.ts';
import { DrawHeadline, DrawTo, ExactDraw } from '#app/ui/draw-headline.tsx';
import { Measured, Figure } from '#app/ui/figure.tsx';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Button, LinkButton, CopyButton } from '#app/ui/button.tsx';
import { Field, TextArea } from '#app/ui/fields.tsx';
import {
  ANSWER_ID,
  firstError,
  FORM_ID,
  type CalculatorValues,
  type SaveState,
  type CalculatorOutcome,
} from './calculator-state.ts';
import { useSite } from '#app/ui/site.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { SyringeDrawing } from './syringe-drawing.tsx';

/** Says what the exact dose is in clicks, sprays or capsules, of which there are only whole ones. */
function stepSentence({
  form,
  nearestMark,
  unitsText,
  injectionVolumeText,
  desiredDoseText,
  amountUnit,
}: CalculationResult) {
  const { noun } = nearestMark;
  const what = form === 'capsule' ? `${desiredDoseText} ${amountUnit}` : `${injectionVolumeText} ml`;
  const exact = `${what} is ${countUnits(unitsText, '', noun)}`;
  if (nearestMark.isExact) return `${exact}.`;
  return nearestMark.units === 0
    ? `${exact}, too little for one ${noun}.`
    : `${exact}. The nearest whole number is ${figureText(nearestMark.unitsText)}.`;
}

/** Says what the exact draw is on the scale of the syringe. */
export function markSentence(result: CalculationResult): string {
  const { syringe, nearestMark, unitsText, injectionVolumeText, drawsNeeded } = result;
  if (!isDrawn(result.form)) return stepSentence(result);
  const draw =
    syringe.scale === 'ml'
      ? `${injectionVolumeText} ml on ${syringe.id.startsWith(OWN_PREFIX) ? aSyringe(syringe) : `a syringe of ${syringe.label}`}`
      : `${injectionVolumeText} ml is ${countUnits(unitsText)} on ${aSyringe(syringe)}`;
  if (drawsNeeded > 1) return `${draw}: ${drawsNeeded} draws of the ${syringe.barrelMl} ml barrel.`;
  if (nearestMark.units === 0) return `${draw}, below its first mark.`;
  return nearestMark.isExact
    ? `${draw}, exactly on a mark.`
    : `${draw}. The nearest mark is ${figureText(nearestMark.unitsText)}.`;
}

interface ResultPanelProps {
  outcome: CalculatorOutcome;
  /** What is being solved for, even without a result. */
  way: SolveFor;
  values: CalculatorValues;
  syringes?: readonly OwnSyringe[] | undefined;
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
      <div id={result ? ANSWER_ID : undefined} className="answer flex items-center justify-between gap-3">
        <h2 id="result-title">{HEADING[shown?.solveFor ?? way]}</h2>
        {isExample ? <Badge tone="soft">Example</Badge> : null}
      </div>
      <Headline result={shown} way={way} />
      <Drawing result={shown} values={rest.values} syringes={rest.syringes} />
      {isExample ? (
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
      ) : null}
      {result ? <Answer {...rest} {...outcome} result={result} /> : null}
      {shown ? null : (
        <>
          <p className="text-soft">
            Enter what is in the vial and the dose. The units to draw, the volume and the concentration appear
            here.
          </p>
          {rest.save.kind === 'open' ? (
            <SaveFields {...rest.save} values={rest.values} errors={outcome.errors} />
          ) : null}
        </>
      )}
    </section>
  );
}

function Drawing({
  result,
  values,
  syringes,
}: Pick<CalculatorOutcome, 'result'> & Pick<ResultPanelProps, 'values' | 'syringes'>) {
  if (result && !isDrawn(result.form)) return null;
  if (!result) {
    const empty = syringeOf(findSyringe(values['syringe'], syringes) ?? DEFAULT_SYRINGE);
    return <SyringeDrawing syringe={empty} mark={defaultMark(empty)} units={0} />;
  }
  const { syringe, mark, nearestMark, drawsNeeded } = result;
  return <SyringeDrawing {...pictureOf(syringe, mark, nearestMark, drawsNeeded)} />;
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
      {result.doseOf ? (
        <dl className="formula">
          {result.components.map(({ name, amountText, concentrationText, doseWithUnit }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="figure">
                <Measured
                  text={`${doseWithUnit} in this draw; ${amountText} of ${result.totalAmountText} ${result.amountUnit}, ${concentrationText} ${result.amountUnit}/ml`}
                />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      <dl className="result-figures">
        {moreFigures(result).map(({ label, value, unit }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Figure value={value} unit={unit} />
            </dd>
          </div>
        ))}
      </dl>
      {resultNotes(result).map((text) => (
        <p key={text} className="text-sm text-soft">
          <Measured text={text} />
        </p>
      ))}
      {save.kind === 'open' ? <SaveFields {...save} values={values} errors={errors} /> : null}
      <ResultActions summary={result.summary} save={save} action={action} vialHref={vialHref} />
      <FormulaLines formula={result.formula} />
      <p className="summary-line">
        <Measured text={result.summary} />
      </p>
    </>
  );
}

/** The figures below the draw: the concentration and the doses of the container, and what else is known. */
function moreFigures(result: CalculationResult): { label: string; value: string; unit?: string }[] {
  const { amountUnit, concentrationText, costPerDoseText, doseOf, dosesPerVial, form } = result;
  return [
    ...(form === 'capsule'
      ? []
      : [
          {
            label: doseOf ? `Concentration of ${doseOf}` : 'Concentration',
            value: concentrationText,
            unit: `${amountUnit}/ml`,
          },
        ]),
    ...(dosesPerVial === null
      ? []
      : [{ label: form === 'powder' ? 'Doses per vial' : 'Doses', value: String(dosesPerVial) }]),
    ...(costPerDoseText === undefined ? [] : [{ label: 'Cost per dose', value: costPerDoseText }]),
  ];
}

/** The most important number, largest on the page, with the second one next to it. */
function Headline({ result, way }: { result: CalculationResult | null; way: SolveFor }) {
  if (!result) {
    // An empty frame of the same shape.
    const unit = way === 'volume' ? 'units' : way === 'water' ? 'ml' : 'mg';
    return (
      <p className="headline text-soft" aria-hidden="true">
        <Figure value="–" unit={unit} />
        {way === 'volume' ? <Figure value="–" unit="ml" className="headline-second" /> : null}
      </p>
    );
  }
  const { nearestMark, unitsText, injectionVolumeText } = result;
  const drawn = { mark: nearestMark, unitsText, volumeText: injectionVolumeText };
  if (result.solveFor === 'volume') return <DrawHeadline {...drawn} />;
  const [solved = '', solvedUnit] = result.solvedText.split(' ');
  return (
    <p className="headline">
      <Figure value={solved} unit={solvedUnit} />
      {nearestMark.isExact ? (
        <Figure
          value={
            nearestMark.noun === 'ml'
              ? injectionVolumeText
              : `${injectionVolumeText} ml = ${nearestMark.drawsText}`
          }
          unit={countUnits(nearestMark.drawsText, '', nearestMark.noun).split(' ').at(-1)}
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
  const { hasSignUp } = useSite();
  return (
    <div className="no-print flex flex-wrap items-center gap-3 empty:hidden">
      {save.kind === 'offer' ? <Button {...openSaveMode(save, action)}>Save Calculation</Button> : null}
      <CopyButton text={summary} />
      {save.kind === 'signed-out' && save.isOffline ? null : (
        <Button form={FORM_ID} formAction="/calculator/card">
          Dose card
        </Button>
      )}
      {vialHref ? (
        <Button form={FORM_ID} formAction={vialHref}>
          Save as vial
        </Button>
      ) : null}
      {save.kind === 'signed-out' ? (
        <>
          {save.isOffline || !hasSignUp ? null : (
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
