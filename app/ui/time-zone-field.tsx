import type { ComponentProps } from 'react';
import { zoneName, type ZoneChoice } from '#app/domain/time/zoned-time.ts';
import { Field } from './fields.tsx';
import { useTimeZone } from './use-time-zone.ts';

/**
 * A time zone, found by typing its city or name; the browser's own comes first. Without scripts the list still works, and
 * what is typed is read by the same rules.
 */
export function TimeZoneField({
  choices,
  name,
  id = name,
  defaultValue,
  hint,
  ...rest
}: Omit<ComponentProps<typeof Field>, 'label' | 'type' | 'list'> & {
  choices: readonly ZoneChoice[];
}) {
  const listId = `${id}-zones`;
  const here = zoneName(useTimeZone());
  const own = choices.filter(({ value }) => value === here);
  return (
    <>
      <Field
        {...rest}
        name={name}
        id={id}
        type="search"
        label="Time zone"
        list={listId}
        autoComplete="off"
        spellCheck={false}
        defaultValue={typeof defaultValue === 'string' ? zoneName(defaultValue) : undefined}
        hint={`Type a city to search, such as Berlin or New York. ${hint ?? ''}`.trim()}
      />
      <datalist id={listId}>
        {own.map(({ value, label }) => (
          <option key="here" value={value} label={`${label}, this device`} />
        ))}
        {choices.map(({ value, label }) =>
          value === here ? null : <option key={value} value={value} label={label} />,
        )}
      </datalist>
    </>
  );
}
