import type { JsonSchema } from '#app/platform/api/json-schema.ts';
import type { ApiContents, DocumentedCall, DocumentedField } from '#app/domain/api-docs.ts';
import type { OpenApiDocument, OpenApiOperation } from './model.ts';

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

function limitsOf({ minimum, exclusiveMinimum, maximum, maxLength }: JsonSchema): string {
  if (typeof exclusiveMinimum === 'number')
    return typeof maximum === 'number'
      ? `, above ${exclusiveMinimum} and at most ${maximum}`
      : `, above ${exclusiveMinimum}`;
  if (typeof minimum === 'number' && typeof maximum === 'number') return `, ${minimum} to ${maximum}`;
  if (typeof minimum === 'number') return `, at least ${minimum}`;
  if (typeof maximum === 'number') return `, at most ${maximum}`;
  return typeof maxLength === 'number' ? `, at most ${maxLength} characters` : '';
}

/** Describes a field's type in words. */
export function typeInWords(schema: JsonSchema): string {
  const { $ref, anyOf, oneOf, items, format, type } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'object';
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeInWords))].join(' or ');
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(', ');
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (Array.isArray(type)) {
    const words = (type as string[]).map((name) => typeInWords({ ...schema, type: name }));
    return [...new Set(words)].join(' or ');
  }
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeInWords(items)}`;
  if (type === 'null') return 'null';
  const known = FORMATS[String(format)] ?? NAMES[String(type)];
  return `${known ?? 'as the message says'}${limitsOf(schema)}`;
}

/** What a reference into the document stands for; anything else as it is. */
function resolved({ components }: OpenApiDocument, value: Record<string, unknown>): Record<string, unknown> {
  const { $ref } = value;
  if (typeof $ref !== 'string') return value;
  const [, , kind = '', name = ''] = $ref.split('/');
  const { [name]: found = {} } = (components[kind] ?? {}) as Record<string, Record<string, unknown>>;
  return { ...found, ...(value['description'] === undefined ? {} : { description: value['description'] }) };
}

/** A type, not an interface, so that it is also any other JSON. */
type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: JsonSchema;
};

type Content = Record<
  string,
  { schema: JsonSchema; example?: unknown; examples?: { done: { $ref: string } } }
>;

const WHO: Readonly<Record<OpenApiOperation['x-access'], string>> = {
  public: 'Everyone',
  user: 'Signed in',
  premium: 'Premium',
  admin: 'Administrators',
};

function whoOf(call: OpenApiOperation): string {
  const who = WHO[call['x-access']];
  if (call['x-access'] === 'public') return who;
  if (call['x-session-only'] || call['x-access'] === 'admin') return `${who}; no personal tokens`;
  return call['x-scope'] === 'write' ? `${who}; a personal token needs the write scope` : who;
}

/** The parameters of a call's address; headers are the same for all calls. */
function parametersOf(document: OpenApiDocument, call: OpenApiOperation): DocumentedField[] {
  return call.parameters
    .map((parameter) => resolved(document, parameter) as Parameter)
    .filter(({ in: place }) => place !== 'header')
    .map(({ name, in: place, required = false, description = '', schema }) => ({
      name,
      place: place as 'path' | 'query',
      type: typeInWords(resolved(document, schema)),
      isRequired: required,
      about: description,
    }));
}

function bodyFieldsOf(document: OpenApiDocument, content: Content): DocumentedField[] {
  const [[mediaType, entry] = ['', undefined]] = Object.entries(content);
  const { properties = {}, required = [] } = resolved(document, entry?.schema ?? {}) as JsonSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: mediaType === 'multipart/form-data' ? ('file' as const) : ('body' as const),
    type: typeInWords(schema),
    isRequired: required.includes(name),
    about: String(schema['description'] ?? ''),
  }));
}

/** The first value of a type. */
const FIRST: Readonly<Record<string, unknown>> = {
  integer: 1,
  number: 1,
  boolean: true,
  string: '',
  null: null,
};

/** A list of the example of the records in it; without one, an empty list. */
function exampleInList(document: OpenApiDocument, items: JsonSchema = {}): unknown[] {
  const { examples } = resolved(document, items) as JsonSchema;
  return Array.isArray(examples) ? examples.slice(0, 1) : [];
}

/** A value of a schema, composed of the examples of the records in it, as tools do it. */
function composed(document: OpenApiDocument, schema: JsonSchema): unknown {
  const {
    examples,
    properties,
    items,
    anyOf,
    const: constant,
    type,
  } = resolved(document, schema) as JsonSchema;
  if (Array.isArray(examples)) return examples[0];
  if (anyOf?.[0] !== undefined) return composed(document, anyOf[0]);
  if (constant !== undefined) return constant;
  if (type === 'array') return exampleInList(document, items);
  if (properties !== undefined) {
    const fields = Object.entries(properties).filter(([name]) => name !== 'message');
    return Object.fromEntries(fields.map(([name, property]) => [name, composed(document, property)]));
  }
  if (type === 'object') return {};
  const first = Array.isArray(type) ? 'null' : String(type ?? 'null');
  return FIRST[first] ?? null;
}

/** The example of a JSON body, as text; null when there is none. */
function exampleOf(document: OpenApiDocument, content: Content | undefined): string | null {
  const json = content?.['application/json'];
  // A file, which is not described.
  if (json === undefined || (json.schema.type === 'object' && json.schema.properties === undefined))
    return null;
  const shared = json.examples?.done;
  const written = shared === undefined ? json.example : resolved(document, shared)['value'];
  return JSON.stringify(written ?? composed(document, json.schema), null, 2);
}

function describeCall(
  document: OpenApiDocument,
  { path, method, call }: { path: string; method: string; call: OpenApiOperation },
): DocumentedCall {
  const sent = (call.requestBody?.['content'] ?? {}) as Content;
  const responses = Object.entries(call.responses).map(
    ([status, response]) => [status, resolved(document, response)] as const,
  );
  const done = responses.find(([status]) => status.startsWith('2'))?.[1];
  return {
    id: call.operationId,
    method: method.toUpperCase(),
    path,
    summary: call.summary,
    description: call.description,
    who: whoOf(call),
    fields: [...parametersOf(document, call), ...bodyFieldsOf(document, sent)],
    sends: exampleOf(document, sent),
    gives: exampleOf(document, done?.['content'] as Content | undefined),
    answers: responses.map(([status, { description }]) => ({
      status: status === 'default' ? 'other' : status,
      meaning: String(description),
    })),
  };
}

const callsOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method, call })),
  );

/** One call in full; null if there is none with this id. */
export function documentedCall(document: OpenApiDocument, id: string): DocumentedCall | null {
  const found = callsOf(document).find(({ call }) => call.operationId === id);
  return found === undefined ? null : describeCall(document, found);
}

/**
 * The calls in a line each, under their headings: those that have every word of the search in their name, address, description or
 * the names of their fields.
 */
export function apiContents(document: OpenApiDocument, search = ''): ApiContents {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = callsOf(document).filter(({ path, method, call }) => {
    if (words.length === 0) return true;
    const { fields } = describeCall(document, { path, method, call });
    const names = fields.map(({ name, about }) => `${name} ${about}`);
    const text = [method, path, call.operationId, call.summary, call.description, ...call.tags, ...names]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = document.tags.map(({ name, description }) => ({
    id: name.toLowerCase().replace(/[^a-z]+/g, '-'),
    title: name,
    about: description,
    calls: found
      .filter(({ call }) => call.tags.includes(name))
      .map(({ path, method, call: { operationId, summary } }) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        summary,
      })),
  }));
  const intro = document.info.description.split('\n\n').map((paragraph) => paragraph.replaceAll('\n', ' '));
  const [{ url: server } = { url: '' }] = document.servers;
  return { server, intro, total: found.length, groups: groups.filter(({ calls }) => calls.length > 0) };
}
