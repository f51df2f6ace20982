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
  /** The `id` of the control; those of hint and error are derived from it. */
  id: string;
  label: string;
  hint?: string;
  error?: string;
}

const hintId = (id: string) => `${id}-hint`;
export const errorId = (id: string) => `${id}-error`;

/** The attributes that link a control to its hint, error and unit. */
export function describe({ id, hint, error }: Omit<FieldTexts, 'label'>, ...more: (string | undefined)[]) {
  const ids = [error && errorId(id), hint && hintId(id), ...more].filter(Boolean);
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
  };
}

/** A field's error, with an icon so that it does not depend on colour. */
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

interface Layout {
  /** `figure` shows a number large; `row` also puts the label to the left of it. */
  look?: 'plain' | 'figure' | 'row' | undefined;
  /** Below the error: a question about the value, which may fix it. */
  question?: ReactNode;
}

/** Label, control, error, a question about the value, hint. A `row` has a class and no hint. */
export function FieldShell({
  id,
  label,
  hint,
  error,
  question,
  look = 'plain',
  className = '',
  children,
}: FieldTexts & Layout & { className?: string; children: ReactNode }) {
  const control = <div className={look === 'plain' ? 'control' : 'control control-figure'}>{children}</div>;
  const problem = error ? <FieldError id={id} error={error} /> : null;
  if (look === 'row')
    return (
      <div className={`ledger-row ${className}`}>
        <label htmlFor={id}>{label}</label>
        {control}
        {problem ? (
          <div className="col-span-full">
            {problem}
            {question}
          </div>
        ) : null}
      </div>
    );
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-semibold">
        {label}
      </label>
      {control}
      {problem}
      {question}
      {hint ? <FieldHint id={id} hint={hint} /> : null}
    </div>
  );
}

/**
 * Set inside a form that filters its page through the address: `isHistory` says whether the page was reached by going back
 * or forward. Null in every other form; their fields keep what was typed.
 */
export const AddressContext = createContext<{ isHistory: boolean } | null>(null);

/**
 * Updates a field of such a form when the address changes: after a link that clears the filters, or "back". The element is
 * not replaced, so that keyboard users keep the focus, and a focused field keeps what was typed since the form was sent.
 * @param value from the address: the field's text, or whether it is checked
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

/** The types of input that take a limit for typed text; what a date or a time can be, its type says. */
const TYPED = ['text', 'search', 'tel', 'url', 'email', 'password'];

/** A text, e-mail, password, date or search field. Its `id` is its `name` unless given. */
export function Field({
  label,
  hint,
  error,
  id,
  look,
  maxLength,
  ...input
}: Named<ComponentProps<'input'>> & Layout) {
  const texts = { id: id ?? input.name, label, hint, error };
  const limit = TYPED.includes(input.type ?? 'text') ? maxLength : undefined;
  const element = useFollowsAddress<HTMLInputElement>(input.defaultValue);
  return (
    <FieldShell {...texts} look={look}>
      <input ref={element} type="text" {...input} maxLength={limit} {...describe(texts)} />
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

/** A choice. The limit that a form's field may bring is one of typed texts. */
export function Select({
  label,
  hint,
  error,
  id,
  options,
  maxLength: _ofTexts,
  look,
  className,
  ...input
}: Named<ComponentProps<'select'>> &
  Layout & {
    options: readonly Option[];
    maxLength?: number | undefined;
    /** Of the row. */
    className?: string;
  }) {
  const texts = { id: id ?? input.name, label, hint, error };
  const element = useFollowsAddress<HTMLSelectElement>(input.defaultValue);
  return (
    <FieldShell {...texts} {...(className && { className })} look={look}>
      <select ref={element} {...input} {...describe(texts)}>
        <Options options={options} />
      </select>
    </FieldShell>
  );
}

type NumberFieldProps = Named<Omit<ComponentProps<'input'>, 'className'>> &
  Layout & {
    /** Shown inside the field and read aloud after its label. */
    unit?: ReactNode;
    /** A unit that can be chosen, instead of a fixed one. */
    unitSelect?: ReactNode;
    /** Of the row. */
    className?: string;
  };

/** A decimal number with its unit inside the field. An input of type text, so that a comma reaches the server as typed. */
export function NumberField({
  label,
  hint,
  error,
  id,
  unit,
  unitSelect,
  question,
  look,
  className,
  ...input
}: NumberFieldProps) {
  const texts = { id: id ?? input.name, label, hint, error };
  const unitId = `${texts.id}-unit`;
  const element = useFollowsAddress<HTMLInputElement>(input.defaultValue);
  return (
    <FieldShell {...texts} {...(className && { className })} look={look} question={question}>
      <input
        ref={element}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        {...input}
        {...describe(texts, unit ? unitId : undefined)}
      />
      {unit ? (
        <span id={unitId} className={look ? 'unit' : 'unit unit-narrow'}>
          {unit}
        </span>
      ) : null}
      {unitSelect}
    </FieldShell>
  );
}

/** A checkbox with its label to the right; the whole line is clickable. */
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

/** Radio buttons side by side, as segments of one bar. */
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
