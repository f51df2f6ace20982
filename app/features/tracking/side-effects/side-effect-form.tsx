import type { SubmissionResult } from '@conform-to/react';
import { sideEffectSchema, type updateSideEffectSchema } from '#app/domain/tracking/side-effect-schema.ts';
import { severityText } from '#app/domain/tracking/side-effects.ts';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { LinkButton, Submit } from '#app/ui/button.tsx';
import { Field, Select, TextArea, type Option } from '#app/ui/fields.tsx';

const SEVERITIES = [1, 2, 3, 4, 5].map((level) => ({ value: String(level), label: severityText(level) }));
const NONE = { value: '', label: 'None' };

/** The form's controls as texts. */
export type EffectFormValues = Readonly<Record<keyof typeof updateSideEffectSchema.shape, string>>;

export interface EffectFormProps {
  action: string;
  label: string;
  cancelHref: string;
  values: EffectFormValues;
  saveKey?: string;
  vials: readonly Option[];
  doses: readonly Option[];
  lastResult?: SubmissionResult<string[]> | null;
}

/** Logs or edits a side effect. */
export function EffectForm({ action, label, cancelHref, values, saveKey, ...more }: EffectFormProps) {
  const { vials, doses, lastResult } = more;
  const [form, fields] = useSchemaForm('side-effect', sideEffectSchema, { lastResult, defaultValue: values });
  return (
    <SchemaForm form={form} action={action} className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-4">
      {saveKey ? <input type="hidden" name="saveKey" value={saveKey} /> : null}
      <Field {...fieldProps(fields.name)} label="Name" autoComplete="off" />
      <Select {...fieldProps(fields.severity)} label="Severity, 1 to 5" options={SEVERITIES} />
      <Field {...fieldProps(fields.startedAt)} label="Started" type="datetime-local" />
      <Field
        {...fieldProps(fields.resolvedDate)}
        label="Ended"
        type="datetime-local"
        hint="Leave this empty while it is ongoing."
      />
      {vials.length > 0 ? (
        <Select {...fieldProps(fields.compoundId)} label="Vial" options={[NONE, ...vials]} />
      ) : null}
      {doses.length > 0 ? (
        <Select {...fieldProps(fields.doseId)} label="Preceding dose" options={[NONE, ...doses]} />
      ) : null}
      <TextArea {...fieldProps(fields.notes)} label="Notes" rows={4} />
      <div className="flex flex-wrap gap-3">
        <Submit label={label} action={action} />
        <LinkButton to={cancelHref}>Cancel</LinkButton>
      </div>
    </SchemaForm>
  );
}
