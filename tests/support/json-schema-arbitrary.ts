import fc from 'fast-check';

/** The subset of JSON Schema that the API's document uses, with references resolved. */
export interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const MAX = 1_000_000;

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

function textOf({ format, maxLength = 60, minLength = 0 }: Schema): fc.Arbitrary<unknown> {
  if (format === 'date') return day.map((text) => text.slice(0, 10));
  if (format === 'date-time') return day;
  const plain = fc.string({ minLength: Number(minLength), maxLength: Math.min(Number(maxLength), 80) });
  // Decimals, times of day and zones are texts too, and hardly ever occur by chance.
  const known = fc.constantFrom('0.25', '5', '2,5', '08:00', 'Europe/Berlin', 'UTC', 'mg', 'a@example.org');
  return fc.oneof(plain, known);
}

function numberOf({ type, minimum, maximum }: Schema): fc.Arbitrary<unknown> {
  const least = Number(minimum ?? (type === 'integer' ? -MAX : 0));
  const limits = { min: Math.max(least, -MAX), max: Math.min(Number(maximum ?? MAX), MAX) };
  return type === 'integer' ? fc.integer(limits) : fc.double({ ...limits, noNaN: true });
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema)]),
  );
  return fc.record(fields, { requiredKeys: required }) as fc.Arbitrary<unknown>;
}

/** Values that a schema accepts. */
export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(arbitraryOf));
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if ('const' in schema) return fc.constant(schema['const']);
  const { type } = schema;
  if (Array.isArray(type))
    return fc.oneof(...type.map((one: unknown) => arbitraryOf({ ...schema, type: one })));
  if (type === 'string') return textOf(schema);
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(arbitraryOf(schema.items ?? {}), { maxLength: 4 });
  if (type === 'object') return objectOf(schema);
  return fc.jsonValue();
}

/** Values that none of our schemas expect: operators, wrong types, text with a meaning elsewhere. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    { $gt: '' },
    { $ne: null },
    { $regex: '(a+)+$' },
    { $where: 'sleep(1000)' },
    { constructor: { prototype: 1 } },
    [],
    [['x']],
    null,
    true,
    -1,
    0,
    1e21,
    1.7976931348623157e308,
    9007199254740992,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    '$where',
    '../../etc/passwd',
    '=1+1',
    "'; drop table users; --",
    '<script>alert(1)</script>',
    '2026-02-30',
    '9999999999999999999999',
    '0x10',
    '1e3',
    'x'.repeat(5000),
  ),
  fc.jsonValue(),
);

/** An object that a schema would accept, except that one field is spoiled, added or left out. */
export function spoiled(schema: Schema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const name = fc.constantFrom(...names, 'userId', 'role', '$where', '__proto__', '_id');
  return fc.tuple(arbitraryOf(schema), name, fc.option(hostile)).map(([value, field, spoil]) => {
    const entries = Object.entries(value as object).filter(([known]) => known !== field);
    return Object.fromEntries(spoil === null ? entries : [...entries, [field, spoil]]);
  });
}
