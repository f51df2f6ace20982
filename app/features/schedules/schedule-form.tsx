import { DOSE_UNIT_CHOICES } from '#app/domain/calculator/calculation.ts';
import { zoneName, type ZoneChoice } from '#app/domain/time/zoned-time.ts';
import { useForm, type SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { useNavigation } from '@remix-run/react';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { BlendChoice } from '#app/domain/vials/contents.ts';
import { Checkbox, NumberField, Options, TextArea, type Option } from '#app/ui/fields.tsx';
import { DoseOfField } from '#app/features/amounts/index.ts';
import {
  controlProps,
  CountField,
  errorAt,
  idOf,
  ScheduleField,
  ScheduleSelect,
  type FormState,
} from './schedule-controls.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import type {
  PlanQuestion,
  SingleControl,
  ScheduleValues,
} from '#app/domain/schedules/schedule-form-schema.ts';
import type { ShownPreview } from '#app/domain/schedules/schedule-view.ts';
import { DoseTable, PhaseTable } from './dose-tables.tsx';
import { scheduleSchema } from '#app/domain/schedules/schedule-schema.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { AmountQuestion } from '#app/ui/forms/amount-question.tsx';
import { changeToMcg } from '#app/ui/forms/change-to-mcg.ts';
import { McgQuestion } from '#app/ui/forms/mcg-question.tsx';
import { SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { KindFields, SpanFields } from './timing-fields.tsx';

interface ScheduleFormProps {
  action: string;
  /** Label of the save button. */
  label: string;
  pendingLabel: string;
  /** Absent if the page has its own link to go on. */
  cancelHref?: string;
  values: ScheduleValues;
  vials: readonly Option[];
  blends: readonly BlendChoice[];
  timeZones: readonly ZoneChoice[];
  lastResult?: SubmissionResult<string[]> | null;
  preview?: ShownPreview | null;
  /** The message when it could not be saved. */
  failed: string;
  isRefused?: boolean;
  /** A question about its amounts, answered by saving again. */
  question?: PlanQuestion | null;
}

/** Creates or changes a schedule. The preview is a step of the same form, so no input is lost. */
export function ScheduleForm({
  action,
  values,
  vials,
  blends,
  timeZones,
  lastResult,
  preview,
  failed,
  isRefused = false,
  question,
  ...words
}: ScheduleFormProps) {
  const [form] = useForm({
    id: 'schedule',
    lastResult,
    defaultNoValidate: true,
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) =>
      parseWithZod(formData, { schema: scheduleSchema, disableAutoCoercion: true }),
  });
  const state = { values, errors: form.allErrors };
  const wrong = Object.keys(form.allErrors).filter((name) => name !== '').length;
  const summary = form.errors ?? (wrong > 0 && isRefused ? [`${failed}.`] : []);
  return (
    <SchemaForm
      form={form}
      action={action}
      errors={summary}
      idOf={(name) => idOf(name === 'doseUnit' ? 'doseAmount' : name)}
      preventScrollReset
      className="grid grid-cols-1 gap-5"
    >
      <input type="hidden" name="saveKey" value={values.single.saveKey ?? ''} />
      <WhatFields {...state} vials={vials} blends={blends} />
      <KindFields {...state} />
      <SpanFields {...state} timeZones={timeZones} />
      <MoreFields {...state} />
      {preview ? (
        <section id="preview" aria-labelledby="preview-title" className="sheet grid gap-3 p-4" tabIndex={-1}>
          <h2 id="preview-title">Preview (not saved yet)</h2>
          <p>{`${preview.words}, ${zoneName(preview.timeZone)} time.`}</p>
          {preview.doses.length === 0 ? (
            <p>This schedule has no doses. Check its days and its last day.</p>
          ) : (
            <DoseTable caption="The first doses" doses={preview.doses} />
          )}
          {preview.phases.length > 0 ? <PhaseTable phases={preview.phases} /> : null}
        </section>
      ) : null}
      {question ? (
        <PlanAmountQuestion {...question} instead={<Buttons {...words} action={action} />} />
      ) : (
        <Buttons {...words} action={action} />
      )}
    </SchemaForm>
  );
}

/** Asks about amounts that are probably a slip. Saving again confirms exactly these amounts. */
function PlanAmountQuestion({
  messages,
  confirmedAmount,
  slip,
  instead,
}: PlanQuestion & { instead: ReactNode }) {
  const busy = useNavigation().formData !== undefined;
  return (
    <AmountQuestion
      title="Is this the amount you meant?"
      messages={messages}
      slip={slip ?? undefined}
      isOpen
      verb="Save"
      anyway="Save it anyway"
      name="step"
      value="save"
      disabled={busy}
      controls={{ amount: 'doseAmount', unit: 'doseUnit' }}
      instead={instead}
    >
      <input type="hidden" name="confirmedAmount" value={confirmedAmount} />
    </AmountQuestion>
  );
}

type ButtonsProps = Pick<ScheduleFormProps, 'action' | 'label' | 'pendingLabel' | 'cancelHref'>;

function Buttons({ action, label, pendingLabel, cancelHref }: ButtonsProps) {
  const { formData } = useNavigation();
  const step = formData?.get('step');
  const busy = formData !== undefined;
  return (
    <div className="flex flex-wrap gap-3">
      <Button name="step" value="save" variant="primary" disabled={busy}>
        {step === 'save' ? pendingLabel : label}
      </Button>
      <Button name="step" value="preview" formAction={`${action}#preview`} disabled={busy}>
        {step === 'preview' ? 'Working it out...' : 'Preview doses'}
      </Button>
      {cancelHref ? (
        <LinkButton to={cancelHref} variant="plain">
          Cancel
        </LinkButton>
      ) : null}
    </div>
  );
}

/** What is taken: name, dose, and folded the vial. */
function WhatFields({
  vials,
  blends,
  ...state
}: FormState & { vials: readonly Option[]; blends: readonly BlendChoice[] }) {
  const { compoundId = '', name = '' } = state.values.single;
  const [chosen, choose] = useState({ vialId: compoundId, name });
  const endsWithVial = state.values.single.endsWithVial === 'true';
  const follow = ({ target }: FormEvent<HTMLElement>) => {
    if (target instanceof HTMLSelectElement && target.name === 'compoundId')
      choose((before) => ({ ...before, vialId: target.value }));
    if (target instanceof HTMLInputElement && target.name === 'name')
      choose((before) => ({ ...before, name: target.value }));
  };
  return (
    <section className="form-part" aria-label="What" onChange={follow}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <ScheduleField {...state} name="name" label="Name" maxLength={100} autoComplete="off" />
        <DoseField {...state} />
      </div>
      <DoseOfField {...controlProps(state, 'doseOf')} blends={blends} chosen={chosen} />
      {vials.length > 0 || endsWithVial ? (
        <Disclosure summary="Vial" open={endsWithVial || isFilled(state, ['compoundId', 'endsWithVial'])}>
          <div className="grid gap-4">
            {vials.length > 0 ? (
              <ScheduleSelect
                {...state}
                name="compoundId"
                label="Vial"
                options={[{ value: '', label: 'Any open vial of this name' }, ...vials]}
                hint="Doses are drawn from this vial first."
              />
            ) : null}
            <Checkbox
              name="endsWithVial"
              value="true"
              id={idOf('endsWithVial')}
              label="End the schedule with this vial"
              hint="It stops when the vial is empty or discarded."
              defaultChecked={endsWithVial}
              error={errorAt(state.errors, 'endsWithVial')}
            />
          </div>
        </Disclosure>
      ) : null}
    </section>
  );
}

/** Amount and unit on one line. */
function DoseField({ values, errors }: FormState) {
  return (
    <NumberField
      {...controlProps({ values, errors }, 'doseAmount')}
      look="figure"
      label="Dose"
      error={errorAt(errors, 'doseAmount') ?? errorAt(errors, 'doseUnit')}
      question={
        <McgQuestion
          errors={errors['doseAmount']}
          onClick={changeToMcg({ amount: 'doseAmount', unit: 'doseUnit' })}
        />
      }
      unitSelect={
        <select
          name="doseUnit"
          className="unit"
          aria-label="Unit of the dose"
          defaultValue={values.single.doseUnit}
        >
          <Options options={DOSE_UNIT_CHOICES} />
        </select>
      }
    />
  );
}

const ROUTES = ['Subcutaneous', 'Intramuscular', 'Intranasal', 'Oral', 'Topical'];

/** Fields that most schedules leave empty, folded away unless filled in. */
function MoreFields(state: FormState) {
  const ramp = isFilled(state, ['ramp.start', 'ramp.step', 'ramp.everyWeeks', 'ramp.target']);
  const course = isFilled(state, ['course.weeksOn', 'course.weeksOff']);
  const notes =
    isFilled(state, ['route', 'notes']) || errorAt(state.errors, 'reminderLeadMinutes') !== undefined;
  return (
    <section className="form-part" aria-label="More">
      <Disclosure summary="Dose that changes over time" open={ramp}>
        <div className="grid gap-4">
          <p className="max-w-prose text-soft">
            The dose starts at the first dose, changes step by step, and stays at the last dose. When filled
            in, this replaces the dose above and uses the same unit.
          </p>
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            <CountField {...state} name="ramp.start" label="First dose" inputMode="decimal" />
            <CountField {...state} name="ramp.target" label="Last dose" inputMode="decimal" />
            <CountField
              {...state}
              name="ramp.step"
              label="Change"

              inputMode="text"
              hint="Negative if the dose goes down."
            />
            <CountField {...state} name="ramp.everyWeeks" label="Every" unit="weeks" />
          </div>
        </div>
      </Disclosure>
      <Disclosure summary="Weeks on and weeks off" open={course}>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <CountField
            {...state}
            name="course.weeksOn"
            label="With doses"
            unit="weeks"
            hint="Begins on the first day."
          />
          <CountField {...state} name="course.weeksOff" label="Without doses" unit="weeks" />
        </div>
      </Disclosure>
      <Disclosure summary="Reminder, route and notes" open={notes}>
        <div className="grid gap-4">
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            <CountField
              {...state}
              name="reminderLeadMinutes"
              label="Remind before"
              unit="minutes"
              hint="0 to 120. 0 reminds you when the dose is due."
            />
            <ScheduleField {...state} name="route" label="Route" maxLength={60} list="schedule-routes" />
          </div>
          <datalist id="schedule-routes">
            {ROUTES.map((route) => (
              <option key={route} value={route} />
            ))}
          </datalist>
          <TextArea
            name="notes"
            id={idOf('notes')}
            label="Notes"
            rows={3}
            defaultValue={state.values.single.notes}
            error={errorAt(state.errors, 'notes')}
          />
        </div>
      </Disclosure>
    </section>
  );
}

const isFilled = ({ values, errors }: FormState, names: readonly SingleControl[]) =>
  names.some((name) => Boolean(values.single[name]) || errorAt(errors, name) !== undefined);
