/** Longest text that is given back to a form control; longer ones were refused anyway. */
const MAX_SHOWN_LENGTH = 4000;

type Source = Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>;

const isEntries = (source: Source): source is Iterable<readonly [string, unknown]> =>
  Symbol.iterator in source;

function fromEntries(
  source: Iterable<readonly [string, unknown]>,
  wanted: ReadonlySet<string>,
): Map<string, unknown> {
  const found = new Map<string, unknown[]>();
  for (const [name, value] of source) {
    if (wanted.has(name)) found.set(name, [...(found.get(name) ?? []), value].slice(0, 2));
  }
  return new Map([...found].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}

function fromRecord(
  source: Readonly<Record<string, unknown>>,
  wanted: ReadonlySet<string>,
): Map<string, unknown> {
  return new Map(
    [...wanted].filter((name) => Object.hasOwn(source, name)).map((name) => [name, source[name]]),
  );
}

/**
 * The named fields of a form, a query string or a JSON object; everything else is left behind.
 * A field sent twice becomes an array, which no single-valued field accepts. Blank text and null count as absent.
 */
export function readFields(source: Source, names: readonly string[]): Record<string, unknown> {
  const wanted = new Set(names);
  const found = isEntries(source) ? fromEntries(source, wanted) : fromRecord(source, wanted);
  const present = [...found].filter(
    ([, value]) =>
      value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === ''),
  );
  return Object.fromEntries(present);
}

/** What was sent as text for the controls of a form; the first of repeated values, nothing for other types. */
export function shownValues<Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const field = fields[name];
    const value: unknown = Array.isArray(field) ? field[0] : field;
    if (typeof value === 'string' || typeof value === 'number')
      values[name] = String(value).slice(0, MAX_SHOWN_LENGTH);
  }
  return values;
}
