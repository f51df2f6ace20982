import type { ComponentProps } from 'react';
import { Field, NumberField, Select, type Option } from '#app/ui/fields.tsx';
import { changeToMcg } from '#app/ui/forms/change-to-mcg.ts';
import { McgQuestion } from '#app/ui/forms/mcg-question.tsx';
import type { ScheduleValues, SingleControl } from '#app/domain/schedules/schedule-form-schema.ts';

/** Values and error messages of all fields. */
export interface FormState {
  values: ScheduleValues;
  /** Messages by control name. */
  errors: Readonly<Record<string, string[] | null | undefined>>;
}

/** The `id` of a control: its name without dots, which would mean classes in selectors. */
export const idOf = (name: string) => `schedule-${name.replaceAll('.', '-')}`;

/** The first message of a control. Messages about list entries are shown at the list. */
export function errorAt(errors: FormState['errors'], name: string): string | undefined {
  const own = errors[name]?.[0];
  if (own !== undefined) return own;
  return Object.entries(errors).find(([key]) => key.startsWith(`${name}[`))?.[1]?.[0];
}

type Own<Props> = Omit<Props, 'name' | 'id' | 'defaultValue' | 'error'> & FormState & { name: SingleControl };

/** A field of the schedule form with its value and message. */
export function ScheduleField({ values, errors, name, ...rest }: Own<ComponentProps<typeof Field>>) {
  return <Field {...rest} {...controlProps({ values, errors }, name)} />;
}

/** Props that connect a control to its value and message. */
export const controlProps = ({ values, errors }: FormState, name: SingleControl) => ({
  name,
  id: idOf(name),
  defaultValue: values.single[name],
  error: errorAt(errors, name),
});

/** A select of the schedule form with its value and message. */
export function ScheduleSelect({
  values,
  errors,
  name,
  options,
  label,
  hint,
}: FormState & { name: SingleControl; options: readonly Option[]; label: string; hint?: string }) {
  return (
    <Select
      label={label}
      hint={hint}
      name={name}
      id={idOf(name)}
      options={options}
      defaultValue={values.single[name]}
      error={errorAt(errors, name)}
    />
  );
}

/** A number with its unit inside the field. */
export function CountField({
  values,
  errors,
  name,
  label,
  unit,
  hint,
  inputMode = 'numeric',
}: FormState & {
  name: SingleControl;
  label: string;
  unit?: string;
  hint?: string;
  inputMode?: 'numeric' | 'decimal' | 'text';
}) {
  return (
    <NumberField
      {...controlProps({ values, errors }, name)}
      look="figure"
      label={label}
      unit={unit}
      hint={hint}
      inputMode={inputMode}
      question={
        <McgQuestion errors={errors[name]} onClick={changeToMcg({ amount: name, unit: 'doseUnit' })} />
      }
    />
  );
}
