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

/** Collects the schemas that have a name of their own, so that the document says each once. */
export interface SchemaBook {
  /** The schema as it stands in a call. */
  write(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema;
  /** The named ones so far. */
  components(): Record<string, JsonSchema>;
}

/** Parts of a schema refer to each other within it; in the document all named ones stand in one place. */
function relocated(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}

export function createSchemaBook(): SchemaBook {
  const components: Record<string, JsonSchema> = {};
  return {
    write(schema, io) {
      const { $defs = {}, ...own } = relocated(jsonSchemaOf(schema, io));
      for (const [name, { id: _, ...definition }] of Object.entries($defs)) components[name] ??= definition;
      return own;
    },
    components: () => components,
  };
}
