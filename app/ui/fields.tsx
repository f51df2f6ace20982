import {
  type ReactNode,
  createContext,
  useContext,
  useEffect,
  useRef,
  type RefObject,
  type ComponentProps,
} from 'react';

interface FieldTexts {
  /** The `id` of the control. Hint and error take theirs from it. */
  id: string;
  label: string;
  hint?: string;
  error?: string;
}

const hintId = (id: string) => `${id}-hint`;
export const errorId = (id: string) => `${id}-error`;

/** The attributes that tie a control to its hint, error and unit. */
export function describe({ id, hint, error }: Omit<FieldTexts, 'label'>, ...more: (string | undefined)[]) {
  const ids = [error && errorId(id), hint && hintId(id), ...more].filter(Boolean);
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
  };
}

/** A field's error in words, with a shape beside the colour. */
export function FieldError({ id, error }: { id: string; error: string }) {
  return (
    <p id={errorId(id)} className="message-error mt-1 text-sm">
      <svg
        aria-hidden="true"
        width="16"
        height="20"
        viewBox="0 0 16 20"
        className="shrink-0"
        fill="currentColor"
      >
        <path d="M8 3a7 7 0 1 0 0 14A7 7 0 0 0 8 3zm-1 3h2v5H7zm0 6h2v2H7z" />
      </svg>
      {error}
    </p>
  );
}

export function FieldHint({ id, hint }: { id: string; hint: string }) {
  return (
    <p id={hintId(id)} className="mt-1 text-sm text-soft">
      {hint}
    </p>
  );
}

/** Label above, control, error, hint. */
export function FieldShell({ id, label, hint, error, children }: FieldTexts & { children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      <div className="control">{children}</div>
      {error ? <FieldError id={id} error={error} /> : null}
      {hint ? <FieldHint id={id} hint={hint} /> : null}
    </div>
  );
}

/**
 * Inside a form that filters the page by its address: whether that was reached by a step in the history. Null in every
 * other form, whose fields keep what was typed.
 */
export const AddressContext = createContext<{ isHistory: boolean } | null>(null);

/**
 * Lets a field of such a form show what the address says when that has changed: after a link that clears the filters, or
 * a step back. The element stays, so that whoever searches by keyboard still stands in it, and so does what was typed in
 * it since the form was sent.
 * @param value what the address says: its text, or whether it is checked
 */
function useFollowsAddress<Element extends HTMLInputElement | HTMLSelectElement>(
  value: unknown,
): RefObject<Element> {
  const element = useRef<Element>(null);
  const shown = useRef(value);
  const address = useContext(AddressContext);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    const { current } = element;
    if (address === null || current === null) return;
    if (!address.isHistory && document.activeElement === current) return;
    if (typeof value === 'string') current.value = value;
    if (typeof value === 'boolean' && current instanceof HTMLInputElement) current.checked = value;
  }, [value, address]);
  return element;
}

export interface Option {
  value: string;
  label: string;
}

export function Options({ options }: { options: readonly Option[] }) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

type Named<Props> = Omit<Props, 'id'> & Omit<FieldTexts, 'id'> & { name: string; id?: string };

/** A text, e-mail, password, date or search field. Its `id` is its `name` unless given. */
export function Field({ label, hint, error, id, ...input }: Named<ComponentProps<'input'>>) {
  const texts = { id: id ?? input.name, label, hint, error };
  const element = useFollowsAddress<HTMLInputElement>(input.defaultValue);
  return (
    <FieldShell {...texts}>
      <input ref={element} type="text" {...input} {...describe(texts)} />
    </FieldShell>
  );
}

export function TextArea({ label, hint, error, id, ...input }: Named<ComponentProps<'textarea'>>) {
  const texts = { id: id ?? input.name, label, hint, error };
  return (
    <FieldShell {...texts}>
      <textarea rows={2} {...input} {...describe(texts)} />
    </FieldShell>
  );
}

export function Select({
  label,
  hint,
  error,
  id,
  options,
  ...input
}: Named<ComponentProps<'select'>> & { options: readonly Option[] }) {
  const texts = { id: id ?? input.name, label, hint, error };
  const element = useFollowsAddress<HTMLSelectElement>(input.defaultValue);
  return (
    <FieldShell {...texts}>
      <select ref={element} {...input} {...describe(texts)}>
        <Options options={options} />
      </select>
    </FieldShell>
  );
}

/** A decimal number with its unit inside the field. Text, so that a comma stays a comma until the server reads it. */
export function NumberField({
  label,
  hint,
  error,
  id,
  unit,
  ...input
}: Named<ComponentProps<'input'>> & { unit?: string }) {
  const texts = { id: id ?? input.name, label, hint, error };
  const unitId = `${texts.id}-unit`;
  return (
    <FieldShell {...texts}>
      <input
        type="text"
        inputMode="decimal"
        autoComplete="off"
        {...input}
        {...describe(texts, unit && unitId)}
      />
      {unit ? (
        <span id={unitId} className="unit unit-narrow">
          {unit}
        </span>
      ) : null}
    </FieldShell>
  );
}

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
