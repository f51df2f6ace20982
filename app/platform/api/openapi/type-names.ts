import type { JsonSchema } from '#app/platform/api/json-schema.ts';

const FORMATS: Readonly<Record<string, string>> = {
  date: 'calendar day, YYYY-MM-DD',
  'date-time': 'instant, ISO 8601',
  binary: 'file',
};
const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
};

/** Whole numbers have these limits unless the schema gives others; they say nothing. */
const isRealLimit = (limit: unknown): limit is number =>
  typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER;

function limitsOf({ minimum, maximum, maxLength }: JsonSchema): string {
  if (isRealLimit(minimum) && isRealLimit(maximum)) return `, ${minimum} to ${maximum}`;
  if (isRealLimit(minimum)) return `, at least ${minimum}`;
  if (isRealLimit(maximum)) return `, at most ${maximum}`;
  return typeof maxLength === 'number' ? `, at most ${maxLength} characters` : '';
}

/** What a field is, in words. */
export function typeInWords(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, items, format, type } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'object';
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeInWords))].join(' or ');
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => `"${value}"`).join(', ');
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeInWords(items)}`;
  if (Array.isArray(type)) return type.map((name) => NAMES[String(name)] ?? String(name)).join(' or ');
  const known = FORMATS[String(format)] ?? NAMES[String(type)];
  return `${known ?? 'as the message says'}${limitsOf(schema)}`;
}
