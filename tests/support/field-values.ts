import fc from 'fast-check';
import * as z from 'zod';

/** Values for the fields of a noun, by name. */
export type FieldValues = Record<string, unknown>;

/** A line that spreadsheets, parsers and pages may get wrong. */
const texts = fc
  .string({ unit: fc.constantFrom('=', '"', ',', ';', '<', '&', 'a', 'é', '7'), minLength: 1, maxLength: 12 })
  .map((text) => `=${text}`);

const days = fc.integer({ min: 10, max: 28 }).map((day) => `2026-05-${day}`);
const decimals = fc.integer({ min: 1, max: 99 }).map((tenths) => String(tenths / 10));
const wholes = fc.integer({ min: 1, max: 9 }).map(String);
const hundredths = fc.integer({ min: 1, max: 99 }).map((hundredth) => String(hundredth / 100));
const codes = fc.string({ unit: fc.constantFrom('E', 'U', 'R'), minLength: 3, maxLength: 3 });

/** Kinds of values, the freest first. */
const KINDS: readonly fc.Arbitrary<string>[] = [texts, days, decimals, wholes, hundredths, codes];

/** Values that a field's schema accepts. */
function valuesOf(name: string, schema: z.core.$ZodType): fc.Arbitrary<string> {
  const accepts = (value: string) => (z.safeParse(schema, value).data ?? null) !== null;
  const kind = KINDS.find((values) => fc.sample(values, 20).every(accepts));
  if (kind === undefined) throw new Error(`no kind of value fits ${name}: add one to KINDS`);
  return kind;
}

/**
 * A value for each of these fields, also for those that somebody adds to a noun's schema later.
 * @param special fields whose values depend on others
 */
export function valuesFor(
  fields: Readonly<Record<string, z.core.$ZodType>>,
  special: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<FieldValues> {
  const values = Object.entries(fields).map(
    ([name, schema]) => [name, special[name] ?? valuesOf(name, schema)] as const,
  );
  return fc.record(Object.fromEntries(values));
}

/** What a call answered, in the words of what was sent: numbers as decimal text, and no parts that were not sent. */
export const inWordsOf = (values: FieldValues, answer: Readonly<Record<string, unknown>>): FieldValues =>
  like(values, answer) as FieldValues;

function like(sent: unknown, answer: unknown): unknown {
  if (typeof sent === 'string') return typeof answer === 'number' ? String(answer) : answer;
  if (Array.isArray(sent) && Array.isArray(answer)) return answer.map((part, at) => like(sent[at], part));
  if (!isRecord(sent) || !isRecord(answer)) return answer;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, like(value, answer[name])]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
