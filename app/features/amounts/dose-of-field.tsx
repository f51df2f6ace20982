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
  /** The vial and the name currently in the form. */
  chosen: { vialId: string; name: string };
}

const LABEL = 'Dose of';

const optionOf = (name: string): Option => ({ value: name, label: name });

/** The blend chosen in the form: its vial, or any blend with the name that is typed. */
function blendIn(blends: readonly BlendChoice[], { vialId, name }: DoseOfFieldProps['chosen']) {
  if (vialId !== '') return blends.find(({ id }) => id === vialId);
  return blends.find((blend) => vialNameKey(blend.name) === vialNameKey(name));
}

/**
 * Chooses the component of a blend that the dose is measured in. With scripts it appears once a blend is chosen and lists its
 * components; without scripts it lists those of all blends, and the server rejects a wrong one.
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
