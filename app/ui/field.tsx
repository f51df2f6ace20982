import type { ComponentProps } from 'react';
import { useFollowsAddress } from './follows-address.ts';
import { describe, FieldShell, type FieldTexts } from './field-shell.tsx';
import { type Option, Options } from './options.tsx';

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
