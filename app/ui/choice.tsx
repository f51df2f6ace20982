import type { ComponentProps, ReactNode } from 'react';
import { useFollowsAddress } from './follows-address.ts';
import { describe, FieldError, FieldHint } from './field-shell.tsx';
import type { Option } from './options.tsx';

/** A checkbox with its words to the right of it; the whole line is the target. */
export function Checkbox({
  label,
  hint,
  error,
  id,
  ...input
}: Omit<ComponentProps<'input'>, 'type'> & {
  name: string;
  label: ReactNode;
  hint?: string;
  error?: string;
}) {
  const texts = { id: id ?? input.name, hint, error };
  const element = useFollowsAddress<HTMLInputElement>(input.defaultChecked);
  return (
    <div>
      <label htmlFor={texts.id} className="choice">
        <input ref={element} type="checkbox" {...input} {...describe(texts)} />
        <span>{label}</span>
      </label>
      {error ? <FieldError id={texts.id} error={error} /> : null}
      {hint ? <FieldHint id={texts.id} hint={hint} /> : null}
    </div>
  );
}

interface RadioGroupProps {
  legend: string;
  name: string;
  options: readonly Option[];
  defaultValue?: string;
  /** Legend to the left instead of above. */
  inline?: boolean;
}

/** Radios side by side as segments of one bar. */
export function RadioGroup({ legend, name, options, defaultValue, inline }: RadioGroupProps) {
  return (
    <fieldset className={inline ? 'flex flex-wrap items-center gap-x-3 gap-y-1' : undefined}>
      <legend className={inline ? 'float-start text-sm text-soft' : 'mb-1 font-semibold'}>{legend}</legend>
      <div className="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              defaultChecked={option.value === defaultValue}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
