import { type DoseUnit, DOSE_UNIT_CHOICES } from '#app/domain/calculator/calculation.ts';
import type { SubmissionResult } from '@conform-to/react';
import { Form, useNavigation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { unconfirmed, type DoseWarning } from '#app/domain/doses/dose-warnings.ts';
import { Notice } from '#app/ui/notice.tsx';
import { takeDoseSchema, logDoseSchema } from '#app/domain/doses/dose-schema.ts';
import { doseInUnit } from '#app/domain/units/quantity.ts';
import { SITES } from '#app/domain/tracking/sites.ts';
import { fieldProps } from '#app/ui/forms/schema-form.tsx';
import type { AmountControls } from '#app/domain/units/meant-mcg.ts';
import { AmountQuestion } from '#app/ui/forms/amount-question.tsx';
import { changeToMcg } from '#app/ui/forms/change-to-mcg.ts';
import { McgQuestion } from '#app/ui/forms/mcg-question.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Button } from '#app/ui/button.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field, Select, TextArea, type Option, NumberField } from '#app/ui/fields.tsx';
import type { BlendChoice } from '#app/domain/vials/contents.ts';
import { DoseOfField } from '#app/features/amounts/index.ts';
import { Measured } from '#app/ui/figure.tsx';

/** The form asks only about doses in mg. */
const inMg = (typed: string): string => doseInUnit(typed, 'mg');

interface TakeFormProps {
  action: string;
  doseUnit: DoseUnit;
  /** For a blend, the component the dose is measured in. */
  doseOf: string | null;
  /** The planned dose, which an empty field also means. */
  planned: string;
  notes: string | null;
  vials: readonly Option[];
  /** Submitting the form confirms these. */
  warnings: readonly DoseWarning[];
  /** The amount the warnings are about; see `amountKey`. */
  askedAmount: string;
  /** The person has just tried to log the dose, and is asked about it. */
  isAsked: boolean;
  /** Identifies one submission; only for a dose that is created when it is taken. */
  idempotencyKey?: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Logs a dose with details, all of them optional. */
export function TakeForm({
  action,
  doseUnit,
  doseOf,
  planned,
  notes,
  vials,
  warnings,
  askedAmount,
  isAsked,
  idempotencyKey,
  lastResult,
}: TakeFormProps) {
  const [form, fields] = useSchemaForm('take', takeDoseSchema, {
    lastResult,
    defaultValue: { actualDose: planned, notes: notes ?? '' },
  });
  const { state, formAction } = useNavigation();
  const isBusy = state !== 'idle' && formAction === action;
  return (
    <Form method="post" action={action} id={form.id} onSubmit={form.onSubmit} noValidate>
      {idempotencyKey === undefined ? null : (
        <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      )}
      <ErrorSummary
        id={form.errorId}
        errors={form.errors}
        fields={fieldsToFix(form.allErrors, (name) => `${form.id}-${name}`)}
      />
      <div className="dose-fields">
        <NumberField
          {...fieldProps(fields.actualDose)}
          label={doseOf === null ? 'Dose taken' : `Dose taken (${doseOf})`}
          unit={doseUnit}
          question={
            <McgQuestion
              errors={fields.actualDose.errors}
              onClick={changeToMcg({ amount: 'actualDose', unit: inMg })}
            />
          }
        />
        <Field
          {...fieldProps(fields.takenAt)}
          label="Taken at"
          type="datetime-local"
          hint="Leave empty for the current time."
        />
        <Select
          {...fieldProps(fields.compoundId)}
          label="Vial"
          options={[{ value: '', label: 'Choose automatically' }, ...vials]}
        />
        <Select {...fieldProps(fields.site)} label="Injection site" options={SITE_OPTIONS} />
      </div>
      <TextArea {...fieldProps(fields.notes)} label="Notes" rows={2} maxLength={2000} />
      <DoseQuestion
        warnings={warnings}
        askedAmount={askedAmount}
        isAsked={isAsked}
        controls={{ amount: 'actualDose', unit: (typed) => doseInUnit(typed, doseUnit) }}
        intent="taken"
        disabled={isBusy}
        instead={
          <div>
            <Button name="intent" value="taken" variant="primary" disabled={isBusy}>
              {isBusy ? 'Saving...' : 'Taken'}
            </Button>
          </div>
        }
      />
    </Form>
  );
}

const ACTION = '/dashboard/schedule/log';

interface LogFormProps {
  /** Notes to read before drawing the dose; null if there are none. */
  before: ReactNode;
  /** The initial value. */
  name: string;
  doseUnit: string;
  /** Suggestions while typing. */
  names: readonly string[];
  vials: readonly Option[];
  blends: readonly BlendChoice[];
  /** Identifies one submission. */
  idempotencyKey: string;
  warnings: readonly DoseWarning[];
  /** The amount the warnings are about; see `amountKey`. */
  askedAmount?: string | undefined;
  /** The person has just tried to log the dose, and is asked about it. */
  isAsked: boolean;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Logging a dose without a schedule. */
export function LogForm({
  before,
  name,
  doseUnit,
  names,
  vials,
  blends,
  idempotencyKey,
  warnings,
  askedAmount,
  isAsked,
  lastResult,
}: LogFormProps) {
  const [form, fields] = useSchemaForm('log', logDoseSchema, {
    lastResult,
    defaultValue: { doseUnit, name },
  });
  const { state, formAction } = useNavigation();
  const isBusy = state !== 'idle' && formAction === ACTION;
  return (
    <Form method="post" action={ACTION} id={form.id} onSubmit={form.onSubmit} noValidate>
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <ErrorSummary
        id={form.errorId}
        errors={form.errors}
        fields={fieldsToFix(form.allErrors, (name) => `${form.id}-${name}`)}
      />
      {before}
      <Field
        {...fieldProps(fields.name)}
        label="Compound"
        list="known-names"
        maxLength={100}
        autoComplete="off"
      />
      <datalist id="known-names">
        {names.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <div className="dose-fields">
        <NumberField
          {...fieldProps(fields.actualDose)}
          label="Dose taken"
          question={
            <McgQuestion
              errors={fields.actualDose.errors}
              onClick={changeToMcg({ amount: 'actualDose', unit: 'doseUnit' })}
            />
          }
        />
        <Select {...fieldProps(fields.doseUnit)} label="Dose unit" options={DOSE_UNIT_CHOICES} />
        <Field
          {...fieldProps(fields.takenAt)}
          label="Taken at"
          type="datetime-local"
          hint="Leave empty for the current time."
        />
        <Select
          {...fieldProps(fields.compoundId)}
          label="Vial"
          options={[{ value: '', label: 'The first to expire' }, ...vials]}
        />
        <DoseOfField
          {...fieldProps(fields.doseOf)}
          blends={blends}
          chosen={{ vialId: fields.compoundId.value ?? '', name: fields.name.value ?? '' }}
        />
        <Select {...fieldProps(fields.site)} label="Injection site" options={SITE_OPTIONS} />
        <Field {...fieldProps(fields.route)} label="Route" maxLength={60} autoComplete="off" />
      </div>
      <TextArea {...fieldProps(fields.notes)} label="Notes" rows={2} maxLength={2000} />
      <DoseQuestion
        warnings={warnings}
        askedAmount={askedAmount}
        isAsked={isAsked}
        controls={{ amount: 'actualDose', unit: 'doseUnit' }}
        disabled={isBusy}
        more={<ShowDraw />}
        instead={
          <div className="flex flex-wrap gap-3">
            <Button variant="primary" disabled={isBusy}>
              {isBusy ? 'Saving...' : 'Log dose'}
            </Button>
            <ShowDraw />
          </div>
        }
      />
    </Form>
  );
}

const SITE_OPTIONS: readonly Option[] = [
  { value: '', label: 'Not recorded' },
  ...SITES.map(({ id, name }) => ({ value: id, label: name })),
];

/** Submits the form to preview what to draw; nothing is logged. */
export function ShowDraw() {
  return (
    <Button name="intent" value="preview">
      Show what to draw
    </Button>
  );
}

interface BeforeDrawingProps {
  /** What to draw for the entered dose, and what changed since the last one; absent until the form is sent. */
  drawText?: string | null | undefined;
  readBack?: string | null | undefined;
  /** Compounds whose next dose is drawn differently from the last one. */
  changes: readonly { name: string; sentence: string }[];
}

/** Notes to read before drawing a dose without a schedule. */
export function BeforeDrawing({ drawText, readBack, changes }: BeforeDrawingProps) {
  const isShown = drawText !== undefined;
  if (!isShown && changes.length === 0) return null;
  return (
    <Notice title="Check this dose" role={isShown ? 'status' : 'note'}>
      {isShown ? (
        <p>
          <Measured
            text={drawText === null ? 'No open vial with this name has a known strength.' : drawText}
          />
        </p>
      ) : (
        changes.map(({ name, sentence }) => (
          <p key={name}>
            {`${name}: `}
            <Measured text={sentence} />
          </p>
        ))
      )}
      {readBack ? (
        <p>
          <Measured text={readBack} />
        </p>
      ) : null}
    </Notice>
  );
}

/** Hidden fields that confirm warnings, for the amount that they are about and no other. */
function Confirmation({
  openQuestions,
  askedAmount,
}: {
  openQuestions: readonly DoseWarning[];
  askedAmount: string | undefined;
}) {
  return (
    <>
      {[...new Set(openQuestions.map(({ code }) => code))].map((code) => (
        <input key={code} type="hidden" name="confirmed" value={code} />
      ))}
      {askedAmount === undefined ? null : <input type="hidden" name="confirmedAmount" value={askedAmount} />}
    </>
  );
}

interface DoseQuestionProps {
  warnings: readonly DoseWarning[];
  /** The amount the warnings are about; the confirmation does not count for any other. */
  askedAmount?: string | undefined;
  isAsked: boolean;
  controls: AmountControls;
  /** The value of the form's `intent` button, if it has several. */
  intent?: string;
  disabled?: boolean;
  /** Other buttons of the form. */
  more?: ReactNode;
  /** The form's own buttons, if there is nothing to ask. */
  instead: ReactNode;
}

/** Asks about the dose to log, in place of the form's buttons; submitting the form that contains it confirms. */
export function DoseQuestion({ warnings, askedAmount, isAsked, intent, ...rest }: DoseQuestionProps) {
  const openQuestions = unconfirmed(warnings, []);
  const button = intent === undefined ? {} : { name: 'intent', value: intent };
  return (
    <AmountQuestion
      title="Check this dose"
      messages={openQuestions.map(({ message }) => message)}
      slip={openQuestions.find(({ slip }) => slip !== undefined)?.slip}
      isOpen={isAsked}
      verb="Log"
      anyway="Log it anyway"
      {...button}
      {...rest}
    >
      <Confirmation openQuestions={openQuestions} askedAmount={askedAmount} />
    </AmountQuestion>
  );
}

/** Warnings about several doses to log; submitting the form that contains them confirms them. */
export function WarningsToConfirm({ warnings }: { warnings: readonly DoseWarning[] }) {
  const openQuestions = unconfirmed(warnings, []);
  if (openQuestions.length === 0) return null;
  return (
    <Notice tone="warning" role="alert" title="Check these doses">
      {openQuestions.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
      <Confirmation openQuestions={openQuestions} askedAmount={undefined} />
    </Notice>
  );
}
