import type { JsonSchema } from '#app/platform/api/json-schema.ts';
import type { Json, OpenApiDocument } from './model.ts';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The types of a schema without null, and what says that it may be null. */
function typesIn({ type }: JsonSchema): { types: unknown[]; nullable: { nullable?: true } } {
  const all: unknown[] = Array.isArray(type) ? type : [type];
  return {
    types: all.filter((one) => one !== 'null' && one !== undefined),
    nullable: all.includes('null') ? { nullable: true } : {},
  };
}

/** A bound that is not part of its range is a flag beside the bound. */
function boundsOf({ exclusiveMinimum, exclusiveMaximum }: JsonSchema): JsonSchema {
  return {
    ...(exclusiveMinimum === undefined ? {} : { minimum: exclusiveMinimum, exclusiveMinimum: true }),
    ...(exclusiveMaximum === undefined ? {} : { maximum: exclusiveMaximum, exclusiveMaximum: true }),
  };
}

type Records = Readonly<Record<string, JsonSchema>>;

/** A record or null: in 3.0 a reference cannot be null, so the record is written out. */
function recordOrNull({ anyOf, ...rest }: JsonSchema, records: Records): JsonSchema | null {
  const [record, none] = anyOf ?? [];
  if (record?.$ref === undefined || none?.['type'] !== 'null') return null;
  const { description, examples: _, ...fields } = records[record.$ref.split('/').at(-1) ?? ''] ?? {};
  return { description, ...fields, ...rest, type: [fields['type'], 'null'] };
}

/** What a schema is made of: one schema beside which nothing may stand, or several to choose from. */
function choicesOf({ $ref, anyOf }: JsonSchema, siblings: number, records: Records): JsonSchema {
  if ($ref !== undefined) return siblings > 0 ? { allOf: [{ $ref }] } : { $ref };
  return anyOf === undefined ? {} : { anyOf: anyOf.map((choice) => schemaIn30(choice, records)) };
}

/** A schema in the words of OpenAPI 3.0. */
function schemaIn30(original: JsonSchema, records: Records): JsonSchema {
  const schema = recordOrNull(original, records) ?? original;
  const {
    $ref: _ref,
    anyOf: _anyOf,
    type: _type,
    const: constant,
    examples,
    exclusiveMinimum: _least,
    exclusiveMaximum: _most,
    properties,
    items,
    additionalProperties,
    propertyNames: _names,
    ...rest
  } = schema;
  const { types, nullable } = typesIn(schema);
  const made: JsonSchema = {
    ...choicesOf(schema, Object.keys(rest).length, records),
    ...(types.length === 1 ? { type: types[0] } : {}),
    ...rest,
    ...nullable,
    ...boundsOf(schema),
    ...(constant === undefined ? {} : { enum: [constant] }),
    ...(Array.isArray(examples) ? { example: examples[0] as unknown } : {}),
  };
  if (properties !== undefined)
    made.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, schemaIn30(property, records)]),
    );
  if (items !== undefined) made.items = schemaIn30(items, records);
  if (additionalProperties !== undefined)
    made.additionalProperties = isObject(additionalProperties)
      ? schemaIn30(additionalProperties, records)
      : additionalProperties;
  return made;
}

/** The same part of the document, with its schemas in the words of 3.0. */
function partIn30(part: unknown, records: Records): unknown {
  if (Array.isArray(part)) return part.map((entry) => partIn30(entry, records));
  if (!isObject(part)) return part;
  const entries = Object.entries(part).map(([name, value]) => {
    if (name === 'schema') return [name, schemaIn30(value as JsonSchema, records)];
    return [name, name === 'example' || name === 'value' ? value : partIn30(value, records)];
  });
  return Object.fromEntries(entries);
}

/** The references in a part of the document, as "kind/name". */
function referencesIn(part: unknown): string[] {
  const found = JSON.stringify(part).matchAll(/"\$ref":"#\/components\/([^"]+)"/g);
  return [...found].map(([, place = '']) => place);
}

/** Only those components that the paths need, in any number of steps. */
function neededComponents(components: Record<string, Json>, paths: unknown): Record<string, Json> {
  const needed = new Set<string>();
  let next = referencesIn(paths);
  while (next.length > 0) {
    for (const place of next) needed.add(place);
    const parts = next.map((place) => {
      const [kind = '', name = ''] = place.split('/');
      return components[kind]?.[name];
    });
    next = referencesIn(parts).filter((place) => !needed.has(place));
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, parts]) => [
      kind,
      Object.fromEntries(
        Object.entries(parts).filter(([name]) => kind === 'securitySchemes' || needed.has(`${kind}/${name}`)),
      ),
    ]),
  );
}

/**
 * The document in OpenAPI 3.0.3, for tools that don't know 3.1 yet: null is a flag, constants are lists of one value, and what
 * version 3.0 has no words for, the webhooks, is left out.
 */
export function inVersion30({ webhooks: _, ...document }: OpenApiDocument): Json {
  const { schemas = {}, ...others } = document.components;
  const records = schemas as Records;
  const paths = partIn30(document.paths, records);
  const written = Object.entries(records).map(([name, schema]) => [name, schemaIn30(schema, records)]);
  const components = {
    ...(partIn30(others, records) as Record<string, Json>),
    schemas: Object.fromEntries(written) as Json,
  };
  return { ...document, openapi: '3.0.3', paths, components: neededComponents(components, paths) };
}
