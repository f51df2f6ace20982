import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { Button } from '#app/ui/button.tsx';
import { Field, Select } from '#app/ui/fields.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { fieldProps, SchemaForm, useAnsweredForm } from '#app/ui/forms/schema-form.tsx';
import { Notice } from '#app/ui/notice.tsx';

const FIELDS = ['name', 'rhythm', 'startDate', 'time', 'everyWeeks'] as const;

const RHYTHM_OPTIONS = [
  { value: 'weekly', label: 'Once a week' },
  { value: 'daily', label: 'Every day' },
];

interface LadderPlanFormProps {
  action: string;
  /** "30 mg with 1.8 ml of water" */
  vial: string;
  /** "2.5 mg, 5 mg, 7.5 mg" */
  doses: string;
  /** Why only the vial can be added; `pro` on the free plan; null if a schedule can be, too. */
  noSchedule: string | null;
  today: string;
  saveKey: string;
  lastResult?: SubmissionResult<string[]> | null;
  /** About unusual amounts. */
  question?: { messages: string[]; confirmedAmount: string } | null;
}

/** Makes a ladder the plan: the vial, and a schedule that goes through its doses. */
export function LadderPlanForm({
  action,
  vial,
  doses,
  noSchedule,
  today,
  saveKey,
  lastResult,
  question,
}: LadderPlanFormProps) {
  const [form, fields] = useAnsweredForm('ladder-plan', FIELDS, lastResult);
  const field = (name: (typeof FIELDS)[number], initial: string) => {
    const { defaultValue = initial, ...props } = fieldProps(fields[name]);
    return { ...props, defaultValue };
  };
  return (
    <SchemaForm form={form} action={action}>
      <p>
        <Measured text={`The vial: ${vial}, mixed today. Doses: ${doses}.`} />
      </p>
      <input type="hidden" name="saveKey" value={saveKey} />
      <Field {...field('name', '')} label="Name" autoComplete="off" />
      {noSchedule === null ? (
        <>
          <Select {...field('rhythm', 'weekly')} label="How often" options={RHYTHM_OPTIONS} />
          <Field {...field('everyWeeks', '4')} label="Weeks at each dose" inputMode="numeric" />
          <Field {...field('startDate', today)} type="date" label="First day" />
          <Field {...field('time', '08:00')} type="time" label="Time" />
        </>
      ) : (
        <Notice tone="info" role="note">
          {noSchedule === 'pro' ? (
            <p>
              The schedule is part of Pro. <Link to="/upgrade">Upgrade to Pro</Link>, or add only the vial.
            </p>
          ) : (
            <p>{`${noSchedule} Add the vial, and plan each dose on its own.`}</p>
          )}
        </Notice>
      )}
      {question ? (
        <Notice tone="warning" role="alert" title="Is this the amount you meant?">
          {question.messages.map((message) => (
            <p key={message}>
              <Measured text={message} />
            </p>
          ))}
          <input type="hidden" name="confirmedAmount" value={question.confirmedAmount} />
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {noSchedule === null ? (
          <Button variant="primary" name="intent" value="plan">
            {question ? 'Save it anyway' : 'Add vial and schedule'}
          </Button>
        ) : null}
        <Button variant={noSchedule === null ? 'quiet' : 'primary'} name="intent" value="vial">
          Add only the vial
        </Button>
      </div>
    </SchemaForm>
  );
}
