import { useForm, type SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { Form, useNavigation } from '@remix-run/react';
import type { ShownPreview } from '#app/domain/schedules/schedule-view.ts';
import { scheduleSchema } from '#app/domain/schedules/schedule-schema.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import type { Option } from '#app/ui/options.tsx';
import type { ScheduleValues } from '#app/domain/schedules/schedule-form-schema.ts';
import { MoreFields } from './optional-fields.tsx';
import { Preview } from './preview.tsx';
import { WhatFields } from './dose-fields.tsx';
import { KindFields, SpanFields } from './timing-fields.tsx';

/** What the pages with the form give it. */
export interface ScheduleFormProps {
  action: string;
  /** The words of the button that saves. */
  label: string;
  pendingLabel: string;
  cancelHref: string;
  values: ScheduleValues;
  vials: readonly Option[];
  timeZones: readonly string[];
  lastResult?: SubmissionResult<string[]> | null;
  preview?: ShownPreview | null;
  /** What to say when it was not saved. */
  failed: string;
  isRefused?: boolean;
}

interface ButtonsProps extends Pick<ScheduleFormProps, 'action' | 'label' | 'pendingLabel' | 'cancelHref'> {
  isPreviewed: boolean;
}

function Buttons({ action, label, pendingLabel, cancelHref, isPreviewed }: ButtonsProps) {
  const { formData } = useNavigation();
  const step = formData?.get('step');
  const busy = formData !== undefined;
  // The first button is what Enter presses: looking is safe, saving is not.
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        name="step"
        value="preview"
        formAction={`${action}#preview`}
        variant={isPreviewed ? 'quiet' : 'primary'}
        disabled={busy}
      >
        {step === 'preview' ? 'Working it out...' : 'Preview doses'}
      </Button>
      <Button name="step" value="save" variant={isPreviewed ? 'primary' : 'quiet'} disabled={busy}>
        {step === 'save' ? pendingLabel : label}
      </Button>
      <LinkButton to={cancelHref} variant="plain">
        Cancel
      </LinkButton>
    </div>
  );
}

/** Making or changing a schedule. Its preview is a step of the same form, so nothing typed is lost on the way. */
export function ScheduleForm({
  action,
  values,
  vials,
  timeZones,
  lastResult,
  preview,
  failed,
  isRefused = false,
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
  const lookAgain = 'Some fields need another look. The message stands at each of them.';
  const summary = form.errors ?? (wrong === 0 ? [] : [isRefused ? `${failed}. ${lookAgain}` : lookAgain]);
  return (
    <Form
      method="post"
      action={action}
      id={form.id}
      onSubmit={form.onSubmit}
      noValidate
      preventScrollReset
      className="grid grid-cols-1 gap-5"
    >
      <input type="hidden" name="saveKey" value={values.single.saveKey ?? ''} />
      <ErrorSummary id={form.errorId} errors={summary} />
      <WhatFields {...state} vials={vials} />
      <KindFields {...state} />
      <SpanFields {...state} timeZones={timeZones} />
      <MoreFields {...state} />
      {preview ? <Preview {...preview} /> : null}
      <Buttons {...words} action={action} isPreviewed={Boolean(preview)} />
    </Form>
  );
}
