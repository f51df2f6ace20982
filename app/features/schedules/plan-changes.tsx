import { Form } from '@remix-run/react';
import type { ShownPreview } from '#app/domain/schedules/schedule-view.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field, NumberField, Select, type Option } from '#app/ui/fields.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { McgQuestion } from '#app/ui/forms/mcg-question.tsx';
import { FilterForm } from '#app/ui/list-controls.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { DoseTable, PhaseTable } from './dose-tables.tsx';
import { scheduleHref } from './schedule-list.tsx';

/** Messages by control name, those under '' about the whole form. */
type Messages = Readonly<Record<string, string[] | null>>;

interface Refused {
  errors: Messages;
  /** Whether the errors are a question, and confirming it saves anyway. */
  isQuestion: boolean;
}

/** Asks about an unusual amount; sending the form again confirms it. */
function Question({ errors }: { errors: Messages }) {
  return (
    <Notice tone="warning" role="alert" title="Is this the amount you meant?">
      {(errors[''] ?? []).map((message) => (
        <p key={message}>{message}</p>
      ))}
      <input type="hidden" name="confirm" value="yes" />
    </Notice>
  );
}

const summary = (errors: Messages) => <ErrorSummary errors={errors[''] ?? []} fields={fieldsToFix(errors)} />;

const first = (errors: Messages, name: string): string | undefined => errors[name]?.[0];

/** One element, because a cell is a row of label and value on a phone. */
const part = (text: string) => (
  <span>
    <Measured text={text} />
  </span>
);

/** Select value that keeps the schedule's vial of that day, if it contains the compound. */
export const SAME_VIAL = 'same';

interface SwapFormProps extends Refused {
  id: string;
  name: string;
  doseUnit: string;
  vials: readonly Option[];
  swaps: readonly { id: string; text: string }[];
  values: Readonly<Record<string, string>>;
  preview: {
    vial: string | null;
    rows: readonly { due: string; before: string; after: string }[];
  } | null;
}

/** Changes compound, vial or dose from a day on, in three steps: enter the change, preview, confirm. */
export function SwapForm({
  id,
  name,
  doseUnit,
  vials,
  swaps,
  values,
  preview,
  errors,
  isQuestion,
}: SwapFormProps) {
  const path = `${scheduleHref(id)}/swap`;
  return (
    <div className="grid gap-5">
      <p className="max-w-prose">
        From this day on, the schedule uses another compound, vial or dose. Earlier doses and doses you’ve
        logged stay as they are.
      </p>
      {swaps.length > 0 ? (
        <section aria-labelledby="swaps-title" className="sheet p-4">
          <h2 id="swaps-title">Changes so far</h2>
          <ul>
            {swaps.map((swap) => (
              <li key={swap.id} className="flex flex-wrap items-center justify-between gap-3 py-2">
                <span>{swap.text}</span>
                <Form method="post" action={path}>
                  <input type="hidden" name="swap" value={swap.id} />
                  <Button name="intent" value="undo" aria-label={`Undo: ${swap.text}`}>
                    Undo
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <FilterForm action={`${path}#swap-preview`} className="grid max-w-xl gap-4" noValidate>
        {isQuestion ? null : summary(errors)}
        <Field
          label="First day"
          name="fromDay"
          type="date"
          defaultValue={values['fromDay']}
          error={first(errors, 'fromDay')}
        />
        <Select
          label="Vial"
          name="compoundId"
          options={[
            { value: SAME_VIAL, label: 'Keep the current vial' },
            { value: '', label: 'Any open vial of the compound' },
            ...vials,
          ]}
          defaultValue={values['compoundId']}
          error={first(errors, 'compoundId')}
        />
        <Field
          label="Compound"
          name="name"
          maxLength={100}
          autoComplete="off"
          defaultValue={values['name']}
          error={first(errors, 'name')}
          hint={`Leave empty to use the vial’s compound, or to keep ${name}.`}
        />
        <NumberField
          label="Dose"
          name="doseAmount"
          unit={doseUnit}
          defaultValue={values['doseAmount']}
          error={first(errors, 'doseAmount')}
          hint="Leave empty to keep the planned dose."
          question={<McgQuestion errors={errors['doseAmount']} />}
        />
        <div className="flex flex-wrap gap-3">
          <Button variant={preview === null ? 'primary' : 'quiet'}>Show what changes</Button>
          <LinkButton to={scheduleHref(id)}>Cancel</LinkButton>
        </div>
      </FilterForm>
      {preview === null ? null : (
        <section aria-labelledby="swap-preview" className="sheet grid gap-4 p-5">
          <h2 id="swap-preview">What changes</h2>
          {preview.rows.length > 0 ? (
            <DataTable
              caption="The first doses that change"
              rows={preview.rows}
              rowKey={({ due }) => due}
              columns={[
                { key: 'due', label: 'Due', cell: ({ due }) => <span className="font-normal">{due}</span> },
                { key: 'before', label: 'Before', cell: ({ before }) => part(before) },
                { key: 'after', label: 'From then on', cell: ({ after }) => part(after) },
              ]}
            />
          ) : (
            <p>No doses are planned yet. Those you take from then on use the new compound.</p>
          )}
          {preview.vial === null ? null : <p>{`Drawn first from: ${preview.vial}.`}</p>}
          <Form
            method="post"
            action={`${path}?${new URLSearchParams({ ...values }).toString()}`}
            className="grid gap-3"
          >
            {isQuestion ? <Question errors={errors} /> : null}
            {Object.entries(values).map(([field, value]) => (
              <input key={field} type="hidden" name={field} value={value} />
            ))}
            <div className="flex flex-wrap gap-3">
              <Button variant="primary">{isQuestion ? 'Save it anyway' : 'Save the change'}</Button>
              <LinkButton to={scheduleHref(id)}>Cancel</LinkButton>
            </div>
          </Form>
        </section>
      )}
    </div>
  );
}

interface BeginAgainProps extends Refused {
  id: string;
  /** Its doses count from the last one taken. */
  isChain: boolean;
  isRunning: boolean;
  saveKey: string;
  /** The first day, or the time of the first dose. */
  value: string;
  preview: ShownPreview | null;
  endDate: string | null;
}

/** Starts a schedule again in three steps: choose the first day, preview, confirm. */
export function BeginAgain({
  id,
  isChain,
  isRunning,
  saveKey,
  value,
  preview,
  endDate,
  errors,
  isQuestion,
}: BeginAgainProps) {
  const path = `${scheduleHref(id)}/again`;
  const field = isChain ? 'firstDueAt' : 'startDate';
  if (isRunning)
    return (
      <div className="grid gap-4">
        <p>This schedule is still running. Pause it first, or wait until it ends.</p>
        <div>
          <LinkButton to={scheduleHref(id)}>Back to the schedule</LinkButton>
        </div>
      </div>
    );
  return (
    <div className="grid gap-5">
      <p className="max-w-prose">
        This creates a new schedule with the same settings, starting from the first dose. The old one and its
        doses stay.
      </p>
      <Form method="get" action={`${path}#again-preview`} className="grid max-w-xl gap-4" noValidate>
        {isQuestion ? null : summary(errors)}
        <Field
          label={isChain ? 'First dose' : 'First day'}
          name={field}
          type={isChain ? 'datetime-local' : 'date'}
          defaultValue={value}
          error={first(errors, field)}
        />
        <div className="flex flex-wrap gap-3">
          <Button variant={preview === null ? 'primary' : 'quiet'}>Show the doses</Button>
          <LinkButton to={scheduleHref(id)}>Cancel</LinkButton>
        </div>
      </Form>
      {preview === null ? null : (
        <section aria-labelledby="again-preview" className="sheet grid gap-4 p-5">
          <h2 id="again-preview">The new schedule</h2>
          <p>{endDate === null ? `${preview.words}.` : `${preview.words}, until ${endDate}.`}</p>
          {preview.doses.length > 0 ? <DoseTable caption="The first doses" doses={preview.doses} /> : null}
          {preview.phases.length > 0 ? <PhaseTable phases={preview.phases} /> : null}
          <Form method="post" action={`${path}?${field}=${encodeURIComponent(value)}`} className="grid gap-3">
            {isQuestion ? <Question errors={errors} /> : null}
            <input type="hidden" name={field} value={value} />
            <input type="hidden" name="saveKey" value={saveKey} />
            <div className="flex flex-wrap gap-3">
              <Button variant="primary">{isQuestion ? 'Start anyway' : 'Start again'}</Button>
              <LinkButton to={scheduleHref(id)}>Cancel</LinkButton>
            </div>
          </Form>
        </section>
      )}
    </div>
  );
}
