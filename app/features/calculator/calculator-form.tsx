import type { ComponentType, ReactNode, RefAttributes } from 'react';
import { Form, type FormProps } from '@remix-run/react';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { FieldError, NumberField, Options, RadioGroup, Select } from '#app/ui/fields.tsx';
import {
  FORM_CHOICES,
  MEASURE_CHOICES,
  SOLVED_FIELD,
  syringeOptions,
  type OwnSyringe,
  DEFAULT_SYRINGE,
  type SolveFor,
  DOSE_UNIT_CHOICES,
} from '#app/domain/calculator/calculation.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { ANSWER_ID, firstError, type CalculatorValues, FORM_ID } from './calculator-state.ts';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { QUICK_SIZES, SIZE_BUTTON } from '#app/domain/calculator/quick-sizes.ts';
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
  /** Beside what to solve for: the link to the water for several doses. */
  ladder?: ReactNode;
  /** The result, which follows the fields. */
  result: ReactNode;
  /** Sent as hidden fields. */
  syringes?: readonly OwnSyringe[] | undefined;
  keep?: Readonly<Record<string, string>>;
  handlers?: Pick<FormProps, 'onInput' | 'onBlur' | 'onSubmit'> & RefAttributes<HTMLFormElement>;
}

const WAYS = [
  { value: 'volume', label: 'Draw' },
  { value: 'water', label: 'Water' },
  { value: 'dose', label: 'Dose' },
];

/** The unit of the substance as it is chosen; styles show the right one without scripts, too. */
export function SubstanceUnit({ per = '' }: { per?: string }) {
  return (
    <>
      <span className="unit-mg">{`mg${per}`}</span>
      <span className="unit-iu">{`IU${per}`}</span>
    </>
  );
}

/**
 * The fields, the result and what is rarely needed, in the order of a phone; on a wide page the result is beside the rest.
 * "Calculate" is the first button, so that Enter triggers it, and it leads to the result, or to what has to be corrected.
 */
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
  ladder,
  result,
  keep,
  syringes,
  handlers,
}: CalculatorFormProps) {
  const unready = live && !filled;
  const solvedError =
    firstError(errors, SOLVED_FIELD[way]) ?? firstError(errors, 'solveFor') ?? firstError(errors, 'form');
  return (
    <Form
      id={FORM_ID}
      method="get"
      action={`${action}#${ANSWER_ID}`}
      className="calculator calculator-form"
      preventScrollReset
      {...handlers}
    >
      <Kept fields={saving ? { ...keep, mode: 'save' } : keep} />
      {/* Enter triggers "Calculate", even if buttons of rows come before it. */}
      <button className="sr-only" tabIndex={-1} aria-hidden="true" disabled={unready} />
      {live ? null : <WhatToFix errors={errors} saving={saving} />}
      <fieldset className="sheet calculator-fields">
        <legend className="sr-only">Vial and dose</legend>
        <h2 aria-hidden="true" className="hidden pt-3 pb-1 lg:block">
          Vial and dose
        </h2>
        <VialFields values={values} errors={errors} Rows={Rows} syringes={syringes} />
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
          Fill in all fields to calculate.
        </p>
      </fieldset>
      {result}
      <div id="solveFor" tabIndex={-1} className="calculator-more">
        <RadioGroup
          inline
          legend="Solve for"
          name="solveFor"
          options={WAYS}
          defaultValue={values['solveFor'] ?? 'volume'}
        />
        {ladder}
        <QuickSizes />
        <Select
          name="form"
          look="row"
          label="Container"
          options={FORM_CHOICES}
          defaultValue={values['form'] ?? 'powder'}
        />
        <div id="amountUnit" tabIndex={-1}>
          <RadioGroup
            inline
            legend="Measured in"
            name="amountUnit"
            options={MEASURE_CHOICES}
            defaultValue={values['amountUnit'] ?? 'mg'}
          />
        </div>
        <AdvancedFields values={values} errors={errors} />
        {blends}
      </div>
    </Form>
  );
}

/** The sizes of common vials, each one press, after which the server fills in the form. */
const QuickSizes = () => (
  <div role="group" aria-label="Vial of" className="flex flex-wrap gap-x-3">
    {QUICK_SIZES.map((size) => (
      <button key={size} className="btn btn-plain" name={SIZE_BUTTON} value={size}>
        {size}
      </button>
    ))}
  </div>
);

/** Name and notes have controls only in save mode; otherwise their errors are shown only here. */
function WhatToFix({ errors, saving }: Pick<CalculatorFormProps, 'errors' | 'saving'>) {
  const { peptideName = [], notes = [], ...shown } = errors;
  return saving ? (
    <ErrorSummary errors={[]} fields={fieldsToFix(errors, controlOf)} />
  ) : (
    <ErrorSummary errors={[...peptideName, ...notes]} fields={fieldsToFix(shown, controlOf)} />
  );
}

/** The ids of controls that are not their names; errors of the dose unit are shown at the dose. */
const CONTROLS: Readonly<Record<string, string>> = {
  desiredDoseUnit: 'desiredDose',
  vials: 'vialsTogether',
};

const controlOf = (name: string) => CONTROLS[name] ?? name;

function Kept({ fields = {} }: { fields?: Readonly<Record<string, string>> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

/** A number of the calculator: its label to the left, and the phone's keyboard calculates. */
export const ROW = { look: 'row', enterKeyHint: 'go' } as const;

const LIQUID = 'in-solution in-pen in-spray';

/** What is in the vial and what to draw. The `for-…` classes hide fields that the chosen mode does not use. */
function VialFields({
  values,
  errors,
  Rows,
  syringes,
}: FilledRows & Pick<CalculatorFormProps, 'Rows' | 'syringes'>) {
  const field = (name: string) => ({ name, defaultValue: values[name], error: firstError(errors, name) });
  return (
    <>
      {Rows && values['componentName-1'] !== undefined ? (
        <Rows values={values} errors={errors} />
      ) : (
        <NumberField
          {...ROW}
          {...field('peptideAmount')}
          label="Peptide amount"
          unit={<SubstanceUnit />}
          className="in-powder in-capsule"
        />
      )}
      <NumberField
        {...ROW}
        {...field('waterVolume')}
        label="Water volume"
        unit="ml"
        className="for-volume for-dose in-powder"
      />
      <NumberField
        {...ROW}
        {...field('concentration')}
        label="Concentration"
        unit={<SubstanceUnit per="/ml" />}
        className={LIQUID}
      />
      <NumberField {...ROW} {...field('containerVolume')} label="Total volume" unit="ml" className={LIQUID} />
      <NumberField {...ROW} {...field('clickMl')} label="Volume of a click" unit="ml" className="in-pen" />
      <NumberField {...ROW} {...field('sprayMl')} label="Volume of a spray" unit="ml" className="in-spray" />
      <NumberField {...ROW} {...field('pieces')} label="Capsules (if known)" className="in-capsule" />
      <NumberField
        {...ROW}
        {...field('desiredDose')}
        error={firstError(errors, 'desiredDose') ?? firstError(errors, 'desiredDoseUnit')}
        question={<McgQuestion errors={errors['desiredDose']} />}
        label="Desired dose"
        unitSelect={
          <select
            name="desiredDoseUnit"
            aria-label="Dose unit"
            className="unit"
            defaultValue={values['desiredDoseUnit']}
          >
            <Options options={DOSE_UNIT_CHOICES} />
          </select>
        }
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
        options={syringeOptions(syringes)}
        defaultValue={values['syringe'] ?? DEFAULT_SYRINGE}
        className="in-powder in-solution"
      />
    </>
  );
}

const MARK_OPTIONS = [
  { value: '', label: 'Default for the syringe' },
  { value: '0.5', label: '0.5 unit' },
  { value: '1', label: '1 unit' },
  { value: '2', label: '2 units' },
];

const MORE_FIELDS = [
  // The offline page has a list of vials, too.
  { name: 'vials', id: 'vialsTogether', label: 'Vials put together' },
  { name: 'deadSpaceMl', label: 'Lost with each dose', unit: 'ml' },
  { name: 'cost', label: 'Cost of a vial' },
];

/** Rarely needed fields. Open if one of them is used. */
function AdvancedFields({ values, errors }: { values: CalculatorValues; errors: FieldErrors }) {
  const displacement = values['displacement'];
  const displacementError = firstError(errors, 'displacement');
  const markError = firstError(errors, 'mark');
  const measured = values['measuredAmount'];
  const measuredError = firstError(errors, 'measuredAmount');
  const more = MORE_FIELDS.map((one) => ({
    ...one,
    defaultValue: values[one.name],
    error: firstError(errors, one.name),
  }));
  const inUse = Boolean(
    (displacement && displacement !== '0') ||
    values['mark'] ||
    measured ||
    more.some((one) => one.defaultValue),
  );
  const isWrong = Boolean(
    displacementError || markError || measuredError || more.some(({ error }) => error !== undefined),
  );
  return (
    <Disclosure summary="Advanced" open={inUse || isWrong}>
      <NumberField
        {...ROW}
        name="measuredAmount"
        label="Measured content"
        className="in-powder"
        unit={<SubstanceUnit />}
        defaultValue={measured}
        error={measuredError}
      />
      <NumberField
        {...ROW}
        name="displacement"
        label="Powder displacement"
        className="in-powder"
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
        className="in-powder in-solution"
      />
      {more.map((one) => (
        <NumberField key={one.name} {...ROW} {...one} />
      ))}
      <p className="mt-2 text-sm text-soft">
        Measured content is the amount on a certificate; it replaces the printed amount. Powder displacement
        is the volume that 1 mg of powder adds to the solution, 0 if left empty. The 0.3 ml barrel has marks
        every 0.5 or 1 unit, the 1 ml barrels every 1 or 2. The volume lost with a dose stays in the needle,
        or leaves a pen when it is primed.
      </p>
    </Disclosure>
  );
}
