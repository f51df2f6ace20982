import type * as z from 'zod';
import { jsonSchemaOf, type JsonSchema } from '#app/platform/api/json-schema.ts';

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
