import type { JsonSchema } from '#app/platform/api/json-schema.ts';
import type { Json, OpenApiOperation } from './model.ts';

/**
 * Parameters that several calls have, described once, under their name with a capital letter; if calls describe one name in
 * several ways, the most frequent has that name and the others have a number behind it. The calls then refer to them.
 */
function shareParameters(calls: readonly OpenApiOperation[]): Record<string, Json> {
  const counts = new Map<string, Map<string, number>>();
  for (const { name, ...rest } of calls.flatMap(({ parameters }) => parameters)) {
    if (typeof name !== 'string') continue;
    const forms = counts.get(name) ?? new Map<string, number>();
    const form = JSON.stringify({ name, ...rest });
    counts.set(name, forms.set(form, (forms.get(form) ?? 0) + 1));
  }
  const shared = new Map<string, string>();
  for (const [name, forms] of counts) {
    const several = [...forms].filter(([, count]) => count > 1).toSorted(([, a], [, b]) => b - a);
    for (const [place, [form]] of several.entries())
      shared.set(form, `${capital(name)}${place === 0 ? '' : place + 1}`);
  }
  for (const call of calls)
    call.parameters = call.parameters.map((parameter) => {
      const component = shared.get(JSON.stringify(parameter));
      return component === undefined ? parameter : { $ref: `#/components/parameters/${component}` };
    });
  return Object.fromEntries([...shared].map(([form, name]) => [name, JSON.parse(form) as Json]));
}

/** The values at several places that are equal, by their text: only those found more than once. */
function repeated<Place>(places: readonly Place[], valueAt: (place: Place) => unknown): Place[][] {
  const byText = new Map<string, Place[]>();
  for (const place of places) {
    const value = valueAt(place);
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    byText.set(text, [...(byText.get(text) ?? []), place]);
  }
  return [...byText.values()].filter(({ length }) => length > 1);
}

/** Examples of answers that several calls have, written once, under the name of the first of these calls. */
function shareExamples(calls: readonly OpenApiOperation[]): Record<string, Json> {
  const shared = repeated(answersOf(calls), ({ json }) => json.example);
  return Object.fromEntries(
    shared.map((alike) => {
      const name = alike[0]?.operationId ?? '';
      const value = alike[0]?.json.example;
      for (const { json } of alike) {
        delete json.example;
        json.examples = { done: { $ref: `#/components/examples/${name}` } };
      }
      return [name, { value }];
    }),
  );
}

/** The name of the record (which may be null), or of the records of a list, in a field of an answer; null for something else. */
function recordIn({ $ref, items, anyOf = [] }: JsonSchema = {}): string | null {
  const orNull = anyOf.length === 2 && anyOf[1]?.type === 'null' ? anyOf[0] : undefined;
  return ($ref ?? items?.$ref ?? orNull?.$ref)?.split('/').at(-1) ?? null;
}

/** Fields of a list that tools can fill in without an example. */
const PAGING = new Set(['page', 'limit', 'total', 'next']);

interface JsonAnswer {
  schema: JsonSchema;
  example?: { data?: Json };
  examples?: Json;
}

/** The JSON of all answers that are written with their call. */
function answersOf(calls: readonly OpenApiOperation[]): { operationId: string; json: JsonAnswer }[] {
  return calls.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap(({ content }) => {
      const json = (content as Record<string, JsonAnswer> | undefined)?.['application/json'];
      return json === undefined ? [] : [{ operationId, json }];
    }),
  );
}

/** What tools fill in by themselves: null, and a list or an object of nothing. */
const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Gives the named records their example, once, and takes it out of the responses that consist of nothing but records and pages:
 * tools compose those.
 */
function moveExamples(
  calls: readonly OpenApiOperation[],
  schemas: Readonly<Record<string, JsonSchema>>,
): void {
  /** Whether the record in a field has an example, which may be this one. */
  const hasExample = (property: JsonSchema | undefined, value: unknown): boolean => {
    const record = schemas[recordIn(property) ?? ''];
    const shown: unknown = property?.$ref === undefined && Array.isArray(value) ? value[0] : value;
    if (record !== undefined && shown !== undefined && shown !== null) record['examples'] ??= [shown];
    return record?.['examples'] !== undefined;
  };
  for (const { json } of answersOf(calls)) {
    const data = Object.entries(json.example?.data ?? {});
    const { properties = {} } = json.schema.properties?.['data'] ?? {};
    const others = data.filter(
      ([field, value]) => !hasExample(properties[field], value) && !PAGING.has(field) && !isNothing(value),
    );
    if (data.length > 0 && others.length === 0) delete json.example;
  }
}

const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Answers with the same data, such as those of adding, reading and changing a record, as one named schema: `OrderAnswer`. */
function shareAnswers(calls: readonly OpenApiOperation[]): Record<string, JsonSchema> {
  const shared: Record<string, JsonSchema> = {};
  for (const alike of repeated(answersOf(calls), ({ json }) => json.schema)) {
    const { schema = {} } = alike[0]?.json ?? {};
    const fields = Object.keys(schema.properties?.['data']?.properties ?? {});
    const name = `${fields.length === 0 ? 'Empty' : fields.map(capital).join('')}Answer`;
    // Another answer may have fields of the same names.
    if (Object.hasOwn(shared, name)) continue;
    shared[name] = { description: 'A success', ...schema };
    for (const { json } of alike) json.schema = { $ref: `#/components/schemas/${name}` };
  }
  return shared;
}

/** Bodies that several calls take, written once, under the name of the first of these calls. */
function shareBodies(calls: readonly OpenApiOperation[]): Record<string, JsonSchema> {
  const bodies = calls.flatMap(({ operationId, requestBody }) => {
    const json = (requestBody?.['content'] as Record<string, JsonAnswer> | undefined)?.['application/json'];
    return json === undefined ? [] : [{ operationId, json }];
  });
  const shared: Record<string, JsonSchema> = {};
  for (const alike of repeated(bodies, ({ json }) => json.schema)) {
    const [{ operationId, json: { schema } } = { operationId: '', json: { schema: {} } }] = alike;
    const name = `${capital(operationId)}Body`;
    shared[name] = { description: 'What is sent', ...schema };
    for (const { json } of alike) json.schema = { $ref: `#/components/schemas/${name}` };
  }
  return shared;
}

/** From this many characters on, a list of values that occurs more than once gets a name. */
const LONG_ENUM = 150;

/** Long lists of values, each written once under the name of the field, such as `Site`. */
function shareValues(schemas: readonly JsonSchema[]): Record<string, JsonSchema> {
  const places: { name: string; schema: JsonSchema }[] = [];
  const visit = (schema: JsonSchema, name: string) => {
    if (schema['enum'] !== undefined && JSON.stringify(schema['enum']).length > LONG_ENUM)
      places.push({ name, schema });
    for (const [field, property] of Object.entries(schema.properties ?? {})) visit(property, field);
    for (const inner of [schema.items, ...(schema.anyOf ?? [])]) if (inner) visit(inner, name);
  };
  for (const schema of schemas) visit(schema, '');
  const shared: Record<string, JsonSchema> = {};
  for (const alike of repeated(places, ({ schema: { description: _, ...values } }) => values)) {
    const name = capital(alike[0]?.name ?? '');
    const { description: _, ...values } = alike[0]?.schema ?? {};
    shared[name] = { ...values, description: `One of the values of \`${alike[0]?.name}\`` };
    for (const { schema } of alike) {
      for (const keyword of Object.keys(values)) delete schema[keyword];
      schema.$ref = `#/components/schemas/${name}`;
    }
  }
  return shared;
}

/** All schemas that are written with the calls. */
function schemasOf(calls: readonly OpenApiOperation[]): JsonSchema[] {
  const bodies = calls.flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)]);
  const contents = bodies.flatMap((part) =>
    Object.values((part?.['content'] ?? {}) as Record<string, JsonAnswer>),
  );
  const parameters = calls.flatMap((call) => call.parameters as { schema?: JsonSchema }[]);
  return [...contents, ...parameters].flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
}

/** Responses that several calls have, written once, under the name of the first of these calls. */
function shareResponses(calls: readonly OpenApiOperation[]): Record<string, Json> {
  const answers = calls.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([, response]) => response['$ref'] === undefined)
      .map(([status, response]) => ({ operationId, status, responses, response })),
  );
  const shared = repeated(answers, ({ response }) => response);
  return Object.fromEntries(
    shared.map((alike) => {
      const [{ operationId = '', status = '', response = {} } = {}] = alike;
      const name = `${capital(operationId)}.${status}`;
      for (const one of alike) one.responses[one.status] = { $ref: `#/components/responses/${name}` };
      return [name, response];
    }),
  );
}

/** What several calls have in common, as components of the document. */
interface Shared {
  parameters: Record<string, Json>;
  examples: Record<string, Json>;
  responses: Record<string, Json>;
  schemas: Record<string, JsonSchema>;
}

/**
 * Writes what several calls have in common once, and refers to it instead: the document stays small, and clients generated from it
 * have one type for one thing.
 * @param records the named schemas, which get their examples
 */
export function share(calls: readonly OpenApiOperation[], records: Record<string, JsonSchema>): Shared {
  moveExamples(calls, records);
  const values = shareValues([...Object.values(records), ...schemasOf(calls)]);
  const parameters = shareParameters(calls);
  const examples = shareExamples(calls);
  const schemas = { ...values, ...shareAnswers(calls), ...shareBodies(calls) };
  return { parameters, examples, schemas, responses: shareResponses(calls) };
}
