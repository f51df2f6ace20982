import type { JsonSchema } from '#app/platform/api/json-schema.ts';
import type {
  ApiDocumentation,
  DocumentedCall,
  DocumentedField,
  DocumentedGroup,
} from '#app/domain/api-docs.ts';
import type { OpenApiDocument, OpenApiOperation } from './document.ts';

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

function limitsOf({ minimum, maximum, maxLength }: JsonSchema): string {
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
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => `"${value}"`).join(', ');
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeInWords(items)}`;
  if (Array.isArray(type)) return type.map((name) => NAMES[String(name)] ?? String(name)).join(' or ');
  const known = FORMATS[String(format)] ?? NAMES[String(type)];
  return `${known ?? 'as the message says'}${limitsOf(schema)}`;
}

/** A type, not an interface, so that it is also any other JSON. */
type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
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
function parametersOf({ components }: OpenApiDocument, call: OpenApiOperation): DocumentedField[] {
  const parameters = call.parameters.map((parameter) => {
    const name = String(parameter['$ref'] ?? '')
      .split('/')
      .at(-1);
    return (components['parameters']?.[name ?? ''] ?? parameter) as Parameter;
  });
  return parameters
    .filter(({ in: place }) => place !== 'header')
    .map(({ name, in: place, required, description = '', schema }) => ({
      name,
      place: place as 'path' | 'query',
      type: typeInWords(schema),
      isRequired: required,
      about: description,
    }));
}

function bodyFieldsOf(content: Content): DocumentedField[] {
  const [[mediaType, entry] = ['', undefined]] = Object.entries(content);
  const { properties = {}, required = [] } = entry?.schema ?? {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: mediaType === 'multipart/form-data' ? ('file' as const) : ('body' as const),
    type: typeInWords(schema),
    isRequired: required.includes(name),
    about: String(schema['description'] ?? ''),
  }));
}

function exampleOf({ components }: OpenApiDocument, content: Content | undefined): string | null {
  const json = content?.['application/json'];
  const shared = json?.examples?.done.$ref.split('/').at(-1);
  const example =
    shared === undefined
      ? json?.example
      : (components['examples']?.[shared] as { value: unknown } | undefined)?.value;
  return example === undefined ? null : JSON.stringify(example, null, 2);
}

/** A response, which may be one of the document's shared ones. */
function sharedOrOwn(
  { components }: OpenApiDocument,
  response: Record<string, unknown>,
): Record<string, unknown> {
  const name =
    String(response['$ref'] ?? '')
      .split('/')
      .at(-1) ?? '';
  return (components['responses']?.[name] as Record<string, unknown> | undefined) ?? response;
}

function describeCall(
  document: OpenApiDocument,
  path: string,
  method: string,
  call: OpenApiOperation,
): DocumentedCall {
  const sent = (call.requestBody?.['content'] ?? {}) as Content;
  const done = sharedOrOwn(
    document,
    Object.entries(call.responses).find(([status]) => status.startsWith('2'))?.[1] ?? {},
  );
  return {
    id: call.operationId,
    method: method.toUpperCase(),
    path,
    summary: call.summary,
    description: call.description,
    who: whoOf(call),
    fields: [...parametersOf(document, call), ...bodyFieldsOf(sent)],
    sends: exampleOf(document, sent),
    gives: exampleOf(document, done['content'] as Content | undefined),
    answers: Object.entries(call.responses).map(([status, response]) => ({
      status,
      meaning: String(sharedOrOwn(document, response)['description']),
    })),
  };
}

/** The contents of the documentation page. */
export function documentationOf(document: OpenApiDocument): ApiDocumentation {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({
      call,
      view: describeCall(document, path, method, call),
    })),
  );
  const groups = document.tags.map(({ name }): DocumentedGroup => ({
    id: name.toLowerCase().replace(/[^a-z]+/g, '-'),
    title: name,
    calls: calls.filter(({ call }) => call.tags.includes(name)).map(({ view }) => view),
  }));
  const intro = document.info.description.split('\n\n').map((paragraph) => paragraph.replaceAll('\n', ' '));
  const [{ url: server } = { url: '' }] = document.servers;
  return { version: document.info.version, server, intro, groups };
}
