import type * as z from 'zod';
import { meaningOf } from '#app/domain/api-glossary.ts';
import { jsonSchemaOf, type JsonSchema } from '#app/platform/api/json-schema.ts';

type Direction = 'input' | 'output';

const isNull = ({ type }: JsonSchema): boolean => type === 'null';
const isText = ({ type }: JsonSchema): boolean => type === 'string';
const isNumber = ({ type }: JsonSchema): boolean => type === 'number' || type === 'integer';
const isFreeText = (schema: JsonSchema): boolean =>
  isText(schema) && !['enum', 'const', 'pattern', 'format'].some((keyword) => keyword in schema);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The texts of a schema as one pattern; null if it is any text. */
function patternOf(schema: JsonSchema): string | null {
  const texts = (schema['enum'] ?? (schema['const'] === undefined ? null : [schema['const']])) as
    | string[]
    | null;
  if (texts !== null) return texts.map(escaped).join('|');
  return typeof schema['pattern'] === 'string' ? schema['pattern'].replaceAll(/^\^|\$$/g, '') : null;
}

/** Texts of several kinds are one text, with one pattern where each of them has one. */
function oneText(texts: readonly JsonSchema[]): JsonSchema {
  const patterns = texts.map(patternOf);
  return patterns.includes(null)
    ? { type: 'string' }
    : { type: 'string', pattern: `^(?:${patterns.join('|')})$` };
}

/** The same, or null. */
function orNull(schema: JsonSchema): JsonSchema {
  const values = schema['enum'];
  return {
    ...schema,
    type: [schema['type'], 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

/**
 * A choice as one type where that can be: amounts may also be sent as decimal text, which the introduction says once for all; what
 * may be null says so in its type.
 */
function withoutChoices({ anyOf, oneOf, ...rest }: JsonSchema): JsonSchema {
  const all = anyOf ?? oneOf;
  if (all === undefined) return withoutNumericText(rest);
  const choices = all
    .map(withoutChoices)
    .flatMap((choice) => choice.anyOf ?? [choice])
    .filter((choice) => !isNull(choice));
  const numbers = choices.filter(isNumber);
  const kept = numbers.length > 0 ? choices.filter((choice) => !isFreeText(choice)) : choices;
  const [only = {}] = kept.length > 1 && kept.every(isText) ? [oneText(kept)] : kept;
  const mayBeNull = all.some(isNull);
  if (kept.length > 1 && !kept.every(isText))
    return { ...rest, anyOf: mayBeNull ? [orNull(only), ...kept.slice(1)] : kept };
  if (!mayBeNull) return { ...only, ...rest };
  if (typeof only['type'] === 'string') return { ...orNull(only), ...rest };
  return { ...rest, anyOf: [only, { type: 'null' }] };
}

/** `["number", "string"]` as a number. */
function withoutNumericText(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  const names = type as string[];
  const isAmount = names.includes('number') || names.includes('integer');
  const left = isAmount ? names.filter((name) => name !== 'string') : names;
  return { ...schema, type: left.length === 1 ? left[0] : left };
}

const hasType = ({ type }: JsonSchema, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name));

const typeOfConstant = (value: unknown): string =>
  typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;

/**
 * A schema as readers and generators of clients want it: one type for a field, constants with their type, numbers as `double`,
 * every field with its meaning.
 * @param noun the named schema or the heading that the fields belong to, for the glossary
 */
function readable(schema: JsonSchema, noun: string, direction: Direction): JsonSchema {
  const { properties, items, additionalProperties, anyOf, ...rest } = withoutChoices(schema);
  const made: JsonSchema = rest;
  const inside = (part: JsonSchema) => readable(part, noun, direction);
  if ('const' in made) made['type'] ??= typeOfConstant(made['const']);
  if (hasType(made, 'number')) made['format'] ??= 'double';
  if (properties !== undefined)
    made.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const field = inside(property);
        // A named schema says what it is.
        const description =
          field['description'] ?? (field.$ref === undefined ? meaningOf(noun, name) : undefined);
        return [name, description === undefined ? field : { ...field, description }];
      }),
    );
  if (items !== undefined) made.items = inside(items);
  if (anyOf !== undefined) made.anyOf = anyOf.map(inside);
  // Answers may get fields that clients don't know yet; unknown fields in a request are refused.
  if (typeof additionalProperties === 'object') made.additionalProperties = inside(additionalProperties);
  else if (additionalProperties !== undefined && (direction === 'input' || additionalProperties))
    made.additionalProperties = additionalProperties;
  return made;
}

/** Collects the named schemas, so that the document contains each only once. */
export interface SchemaBook {
  /**
   * The schema for use in a call.
   * @param heading of the call
   */
  write(schema: z.core.$ZodType, direction: Direction, heading: string): JsonSchema;
  /** The named schemas so far. */
  components(): Record<string, JsonSchema>;
}

/** Rewrites references within a schema to the document's place for named schemas. */
function relocated(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}

export function createSchemaBook(): SchemaBook {
  const components: Record<string, JsonSchema> = {};
  return {
    write(schema, direction, heading) {
      const { $defs = {}, ...own } = relocated(jsonSchemaOf(schema, direction));
      for (const [name, { id: _, ...definition }] of Object.entries($defs)) {
        const description = meaningOf(name);
        components[name] ??= {
          ...readable(definition, name, direction),
          ...(description === undefined ? {} : { description }),
        };
      }
      return readable(own, heading, direction);
    },
    components: () => components,
  };
}
