import { figureText } from '#app/domain/decimal/figure-text.ts';
import { useMemo, type ReactNode } from 'react';
import {
  isDrawn,
  aSyringe,
  type CalculationResult,
  type OwnSyringe,
  type WarningCode,
} from '#app/domain/calculator/calculation.ts';
import { drawToText, markErrorText } from '#app/domain/calculator/draw-words.ts';
import { FORM_ID, type CalculatorValues, type SaveState } from './calculator-state.ts';
import { type Example, openSaveMode, ResultPanel } from './result-panel.tsx';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Button } from '#app/ui/button.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { CalculatorForm, type CalculatorFormProps } from './calculator-form.tsx';
import { useLiveCalculation } from './use-live-calculation.ts';

interface StickySummaryProps {
  result: CalculationResult | null;
  save: SaveState;
  action: string;
}

/** Warnings in as few words as the line at the bottom of a phone has room for. */
const IN_SHORT: Readonly<Record<WarningCode, (result: CalculationResult) => string>> = {
  SMALL_VOLUME: () => 'Very small injection volume',
  LARGE_VOLUME: () => 'Large injection volume',
  HIGH_CONCENTRATION: () => 'High concentration',
  SEVERAL_DRAWS: ({ drawsNeeded }) => `${drawsNeeded} draws`,
  BELOW_FIRST_MARK: ({ form, nearestMark, syringe }) =>
    isDrawn(form) ? `half a mark or less of ${aSyringe(syringe)}` : `half a ${nearestMark.noun} or less`,
  MARK_ERROR: ({ nearestMark }) =>
    `delivers ${nearestMark.deliveredDoseWithUnit}, ${markErrorText(nearestMark) ?? ''}`,
};

/** What makes the mark wrong comes before what can be better. */
const IS_ABOUT_MARK: ReadonlySet<WarningCode> = new Set(['MARK_ERROR', 'BELOW_FIRST_MARK', 'SEVERAL_DRAWS']);

/** The warnings of a result in one line. */
function warningsInShort(result: CalculationResult): string {
  const codes = result.warnings.map(({ code }) => code);
  const first = codes.filter((code) => IS_ABOUT_MARK.has(code));
  const rest = codes.filter((code) => !IS_ABOUT_MARK.has(code));
  const text = [...first, ...rest].map((code) => IN_SHORT[code](result)).join(' · ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "10 units · 0.100 ml · 2.50 mg/ml"; "1 unit, exact 1.37 · 10.00 mg/ml" */
function resultInShort({ nearestMark, ...result }: CalculationResult): string {
  const draw = nearestMark.isExact
    ? drawToText(nearestMark)
    : `${drawToText(nearestMark)}, exact ${figureText(result.unitsText)}`;
  if (result.form === 'capsule') return draw;
  const volume =
    nearestMark.isExact && nearestMark.noun !== 'ml' ? ` · ${result.injectionVolumeText} ml` : '';
  return `${draw}${volume} · ${result.concentrationText} ${result.amountUnit}/ml`;
}

/**
 * The result in short at the bottom of a phone's screen, with its warnings, announced as it changes, and a save button within
 * reach of the thumb.
 */
function StickySummary({ result, save, action }: StickySummaryProps) {
  return (
    <div className={result ? 'sticky-line no-print' : 'sr-only'}>
      <output form={FORM_ID} aria-live="polite" className="figure">
        {result ? <Measured text={resultInShort(result)} /> : null}
        {result && result.warnings.length > 0 ? (
          <span className="sticky-warning">
            <Icon name="warning" size={16} />
            <span>
              <Measured text={warningsInShort(result)} />
            </span>
          </span>
        ) : null}
      </output>
      {result && save.kind === 'offer' ? (
        <Button variant="primary" {...openSaveMode(save, action)}>
          Save
        </Button>
      ) : null}
    </div>
  );
}

export interface CalculatorProps {
  /** This page's path. */
  action: string;
  /** The empty form; the path alone by default. */
  clearHref?: string;
  /**
   * As entered, by field name. Values that differ from the previous ones are a new response of the server and replace the
   * contents of the fields.
   */
  values: CalculatorValues;
  /** The server's result for them, if they have one. */
  result: CalculationResult | null;
  /** The server's messages by field. */
  errors: FieldErrors | null;
  save: SaveState;
  /** The person's own, which can be chosen besides the built-in ones. */
  syringes?: readonly OwnSyringe[];
  /** Other URL parameters that Calculate must keep, such as `recommendations=1`. */
  keep?: Readonly<Record<string, string>>;
  /** The rows of a blend and the control that adds them; the landing page leaves them out to load less. */
  Rows?: CalculatorFormProps['Rows'];
  blends?: ReactNode;
  /** The link to the water for several doses, on pages that lead to it. */
  ladder?: ReactNode;
  /** The form that saves the result as a vial; only when signed in. */
  vialHref?: string;
  /** Shown in place of a result while nothing is entered. */
  example?: Example;
}

/** The calculator: inputs and result side by side on a wide page, one below the other on a phone. */
export function Calculator(props: CalculatorProps) {
  const { action, clearHref = action, values, result, errors, save, syringes, keep, vialHref } = props;
  const answer = useMemo(() => ({ result, errors: errors ?? {} }), [result, errors]);
  const { outcome, filled, live, empty, way, clear, handlers } = useLiveCalculation(values, answer, syringes);
  return (
    <CalculatorForm
      action={action}
      clearHref={clearHref}
      values={values}
      errors={outcome.errors}
      way={way}
      filled={filled}
      live={live}
      onClear={clear}
      saving={save.kind === 'open'}
      Rows={props.Rows}
      blends={props.blends}
      ladder={props.ladder}
      keep={keep}
      syringes={syringes}
      handlers={handlers}
      result={
        <>
          <StickySummary result={outcome.result} save={save} action={action} />
          <ResultPanel
            outcome={outcome}
            way={way}
            values={values}
            syringes={syringes}
            save={save}
            action={action}
            vialHref={vialHref}
            example={empty ? props.example : undefined}
          />
        </>
      }
    />
  );
}
