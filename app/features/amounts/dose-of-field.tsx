import { vialNameKey } from '#app/domain/vials/vial.ts';
import type { BlendChoice } from '#app/domain/vials/contents.ts';
import { Select, type Option } from '#app/ui/fields.tsx';
import { useHydrated } from '#app/ui/hydration.ts';

interface DoseOfFieldProps {
  name: string;
  id: string;
  error?: string | undefined;
  defaultValue?: string | undefined;
  /** The blends that can be chosen in the form. */
  blends: readonly BlendChoice[];
  /** The vial and the name that stand in the form now. */
  chosen: { vialId: string; name: string };
}

const LABEL = 'Dose of';

const optionOf = (name: string): Option => ({ value: name, label: name });

/** The blend that the form is about: its vial, or any of the name that is typed. */
function blendIn(blends: readonly BlendChoice[], { vialId, name }: DoseOfFieldProps['chosen']) {
  if (vialId !== '') return blends.find(({ id }) => id === vialId);
  return blends.find((blend) => vialNameKey(blend.name) === vialNameKey(name));
}

/**
 * The choice of the component of a blend whose amount the dose is. With scripts it is there once a blend is chosen, with its
 * components alone; without them it offers those of all blends, and the server says which one it cannot be.
 */
export function DoseOfField({ blends, chosen, defaultValue = '', ...control }: DoseOfFieldProps) {
  const hasScripts = useHydrated();
  const all = [...new Set([...blends.flatMap(({ components }) => components), defaultValue])];
  const known = all.filter((name) => name !== '');
  if (known.length === 0) return null;
  if (!hasScripts)
    return (
      <Select
        {...control}
        label={LABEL}
        defaultValue={defaultValue}
        options={[{ value: '', label: 'The first component' }, ...known.map(optionOf)]}
        hint="For a vial with several peptides: the one the dose is measured in."
      />
    );
  const blend = blendIn(blends, chosen);
  if (blend === undefined) return null;
  const { components } = blend;
  return (
    <Select
      {...control}
      key={components.join(';')}
      label={LABEL}
      defaultValue={components.includes(defaultValue) ? defaultValue : components[0]}
      options={components.map(optionOf)}
      hint={`One draw contains all of them: ${components.join(', ')}.`}
    />
  );
}
