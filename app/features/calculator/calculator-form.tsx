import type { ComponentType, ReactNode, RefAttributes } from 'react';
import { Form, type FormProps } from '@remix-run/react';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { FieldError, NumberField, Options, RadioGroup, Select } from '#app/ui/fields.tsx';
import {
  SOLVED_FIELD,
  SYRINGE_IDS,
  SYRINGES,
  DEFAULT_SYRINGE,
  type SolveFor,
} from '#app/domain/calculator/calculation.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { firstError, type CalculatorValues, FORM_ID } from './calculator-state.ts';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { McgQuestion } from '#app/ui/forms/mcg-question.tsx';

/** The values of a blend's rows, and their errors. */
export interface FilledRows {
  values: CalculatorValues;
  errors: FieldErrors;
}

export interface CalculatorFormProps {
  /** This page. The form loads it with a GET, so every result has a URL. */
  action: string;
  clearHref: string;
  values: CalculatorValues;
  errors: FieldErrors;
  /** What is being solved for. Its field is not on the page, but its error is. */
  way: SolveFor;
  /** Whether the needed fields are filled. */
  filled: boolean;
  /** Scripts are running, so an incomplete form cannot be sent. Without scripts it can, and the server reports errors. */
  live: boolean;
  onClear: () => void;
  /** In save mode "Save Calculation" is the main action of the page, not "Calculate". */
  saving: boolean;
  /** The rows of a blend, on pages that support blends. */
  Rows?: ComponentType<FilledRows>;
  /** The control that adds the rows of a blend. */
  blends?: ReactNode;
  /** Sent as hidden fields. */
  keep?: Readonly<Record<string, string>>;
  handlers?: Pick<FormProps, 'onInput' | 'onBlur' | 'onSubmit'> & RefAttributes<HTMLFormElement>;
}

const WAYS = [
  { value: 'volume', label: 'Draw' },
  { value: 'water', label: 'Water' },
  { value: 'dose', label: 'Dose' },
];

/** The inputs. "Calculate" is the first button, so that Enter triggers it. */
export function CalculatorForm({
  action,
  clearHref,
  values,
  errors,
  way,
  filled,
  live,
  onClear,
  saving,
  Rows,
  blends,
  keep,
  handlers,
}: CalculatorFormProps) {
  const unready = live && !filled;
  const solvedError = firstError(errors, SOLVED_FIELD[way]);
  return (
    <Form
      id={FORM_ID}
      method="get"
      action={action}
      className="calculator-form"
      preventScrollReset
      {...handlers}
    >
      <Kept fields={saving ? { ...keep, mode: 'save' } : keep} />
      {/* Enter triggers "Calculate", even if buttons of rows come before it. */}
      <button className="sr-only" tabIndex={-1} aria-hidden="true" disabled={unready} />
      {live ? null : <WhatToFix errors={errors} saving={saving} />}
      <fieldset className="sheet px-4 pt-1 pb-2">
        <legend className="sr-only">Vial and dose</legend>
        <h2 aria-hidden="true" className="hidden pt-3 pb-1 lg:block">
          Vial and dose
        </h2>
        <VialFields values={values} errors={errors} Rows={Rows} />
        {solvedError ? <FieldError id="solved" error={solvedError} /> : null}
        <div className="flex gap-3 pt-4">
          <Button
            variant={saving ? 'quiet' : 'primary'}
            className="flex-1"
            disabled={unready}
            aria-describedby={filled ? undefined : 'calculate-hint'}
          >
            Calculate
          </Button>
          <LinkButton to={clearHref} onClick={onClear} preventScrollReset>
            Clear
          </LinkButton>
        </div>
        <p id="calculate-hint" className={filled ? 'invisible pt-2 text-sm' : 'pt-2 text-sm text-soft'}>
          Fill in all three fields to calculate.
        </p>
      </fieldset>
      <div id="solveFor" tabIndex={-1} className="pt-3">
        <RadioGroup
          inline
          legend="Solve for"
          name="solveFor"
          options={WAYS}
          defaultValue={values['solveFor'] ?? 'volume'}
        />
        <AdvancedFields values={values} errors={errors} />
        {blends}
      </div>
    </Form>
  );
}

/** Name and notes have controls only in save mode; otherwise their errors are shown only here. */
function WhatToFix({ errors, saving }: Pick<CalculatorFormProps, 'errors' | 'saving'>) {
  const { peptideName = [], notes = [], ...shown } = errors;
  return saving ? (
    <ErrorSummary errors={[]} fields={fieldsToFix(errors, controlOf)} />
  ) : (
    <ErrorSummary errors={[...peptideName, ...notes]} fields={fieldsToFix(shown, controlOf)} />
  );
}

/** Errors of the dose unit are shown at the dose. */
const controlOf = (name: string) => (name === 'desiredDoseUnit' ? 'desiredDose' : name);

function Kept({ fields = {} }: { fields?: Readonly<Record<string, string>> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

/** A number of the calculator: its label to the left, and the phone's keyboard calculates. */
export const ROW = { look: 'row', enterKeyHint: 'go' } as const;

const SYRINGE_OPTIONS = SYRINGE_IDS.map((id) => ({ value: id, label: SYRINGES[id].label }));

const DOSE_UNIT_OPTIONS = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];

/** What is in the vial and what to draw. The `for-…` classes hide fields that the chosen mode does not use. */
function VialFields({ values, errors, Rows }: FilledRows & Pick<CalculatorFormProps, 'Rows'>) {
  const field = (name: string) => ({ name, defaultValue: values[name], error: firstError(errors, name) });
  return (
    <>
      {Rows && values['componentName-1'] !== undefined ? (
        <Rows values={values} errors={errors} />
      ) : (
        <NumberField {...ROW} {...field('peptideAmount')} label="Peptide amount" unit="mg" />
      )}
      <NumberField
        {...ROW}
        {...field('waterVolume')}
        label="Water volume"
        unit="ml"
        className="for-volume for-dose"
      />
      <NumberField
        {...ROW}
        {...field('desiredDose')}
        error={firstError(errors, 'desiredDose') ?? firstError(errors, 'desiredDoseUnit')}
        question={<McgQuestion errors={errors['desiredDose']} />}
        label="Desired dose"
        unitSelect={<DoseUnit defaultValue={values['desiredDoseUnit']} />}
        className="for-volume for-water"
      />
      <NumberField
        {...ROW}
        {...field('drawVolume')}
        label="Draw volume"
        unit="ml"
        className="for-water for-dose"
      />
      <Select
        {...field('syringe')}
        look="row"
        label="Syringe"
        options={SYRINGE_OPTIONS}
        defaultValue={values['syringe'] ?? DEFAULT_SYRINGE}
      />
    </>
  );
}

function DoseUnit({ defaultValue }: { defaultValue?: string }) {
  return (
    <select name="desiredDoseUnit" aria-label="Dose unit" className="unit" defaultValue={defaultValue}>
      <Options options={DOSE_UNIT_OPTIONS} />
    </select>
  );
}

const MARK_OPTIONS = [
  { value: '', label: 'Default for the syringe' },
  { value: '0.5', label: '0.5 unit' },
  { value: '1', label: '1 unit' },
  { value: '2', label: '2 units' },
];

/** Rarely needed fields. Open if one of them is used. */
function AdvancedFields({ values, errors }: { values: CalculatorValues; errors: FieldErrors }) {
  const displacement = values['displacement'];
  const displacementError = firstError(errors, 'displacement');
  const markError = firstError(errors, 'mark');
  const measured = values['measuredAmount'];
  const measuredError = firstError(errors, 'measuredAmount');
  const inUse = Boolean((displacement && displacement !== '0') || values['mark'] || measured);
  return (
    <Disclosure summary="Advanced" open={inUse || Boolean(displacementError || markError || measuredError)}>
      <NumberField
        {...ROW}
        name="measuredAmount"
        label="Measured content"
        unit="mg"
        defaultValue={measured}
        error={measuredError}
      />
      <NumberField
        {...ROW}
        name="displacement"
        label="Powder displacement"
        unit="µl/mg"
        defaultValue={displacement}
        error={displacementError}
      />
      <Select
        name="mark"
        look="row"
        label="Mark spacing"
        options={MARK_OPTIONS}
        defaultValue={values['mark']}
        error={markError}
      />
      <p className="mt-2 text-sm text-soft">
        Measured content is the amount on a certificate; it replaces the printed amount. Powder displacement
        is the volume that 1 mg of powder adds to the solution, 0 if left empty. The 0.3 ml barrel has marks
        every 0.5 or 1 unit, the 1 ml barrels every 1 or 2.
      </p>
    </Disclosure>
  );
}
