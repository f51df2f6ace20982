import * as z from 'zod';

/** A JSON Schema (draft 2020-12), as far as this program looks into one. */
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
 * What a schema accepts (`input`) or gives (`output`). An object that does not say otherwise takes no field beyond its
 * own: the API refuses unknown ones.
 */
export function jsonSchemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The format says it; the expression behind it would be 250 characters at each of hundreds of instants.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      if (jsonSchema.type === 'object' && jsonSchema.properties) jsonSchema.additionalProperties ??= false;
    },
  }) as JsonSchema;
  const { $schema: _, ...rest } = made;
  return rest;
}
