import * as z from 'zod';

/** The parts of a JSON Schema (draft 2020-12) that this program uses. */
export interface JsonSchema {
  [keyword: string]: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
  $defs?: Record<string, JsonSchema>;
  $ref?: string;
}

/**
 * What a schema accepts (`input`) or returns (`output`). Unless it says otherwise, an object has no additional fields, since
 * the API rejects unknown ones.
 */
export function jsonSchemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The format is enough; the pattern would add 250 characters to each of hundreds of instants.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      // The default limits of whole numbers mean nothing to readers, and hundreds of fields have them.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.type === 'object' && jsonSchema.properties) jsonSchema.additionalProperties ??= false;
    },
  }) as JsonSchema;
  const { $schema: _, ...rest } = made;
  return rest;
}
