import { apiStatusOf, type ConflictCode, type ErrorCode } from '#app/domain/errors.ts';
import { type JsonSchema, type SchemaBook, createSchemaBook } from '#app/platform/api/json-schema.ts';
import { hasCursor, hasTag, METHODS, takesIfMatch, type Operation } from '#app/platform/api/operation.ts';

/** What each status means. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The input is not valid; `fields` says where.',
  401: 'Not signed in, or the token is not valid.',
  402: 'Requires Premium, or the limit of the plan is reached.',
  403: 'Not allowed: wrong role, read-only token, suspended account or foreign origin.',
  404: 'Not found, or it belongs to another account.',
  409: 'Conflicts with the current state.',
  412: 'Not the current version, see `If-Match`; `current` has it.',
  411: 'The request needs a Content-Length.',
  413: 'The body is too large.',
  415: 'The content type of the body is not supported.',
  422: 'The file has rows that cannot be imported.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  503: 'Not configured on this server, or unavailable at the moment.',
};

/** Errors of an `Idempotency-Key`. */
const KEY_CODES = ['KEY_REUSED', 'KEY_IN_USE'] as const;

function codesOf(operation: Operation): (ConflictCode | ErrorCode)[] {
  const { access, method, scope, sessionOnly, params, errors = [] } = operation;
  const codes: (ConflictCode | ErrorCode)[] = [
    'INVALID_INPUT',
    'FOREIGN_ORIGIN',
    'RATE_LIMITED',
    'DATABASE_UNAVAILABLE',
    'SEARCH_TIMEOUT',
    ...errors,
  ];
  if (access !== 'public') codes.push('UNAUTHENTICATED', 'SUSPENDED');
  if (access === 'admin' || sessionOnly) codes.push('FORBIDDEN');
  if (access === 'premium') codes.push('PREMIUM_REQUIRED');
  if (Object.keys(params.shape).length > 0) codes.push('NOT_FOUND');
  if (takesIfMatch(operation)) codes.push('PRECONDITION_FAILED');
  if (method !== METHODS[0]) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (scope === 'write' && access !== 'public') codes.push(...KEY_CODES, 'FORBIDDEN');
  return [...new Set(codes)];
}

const integer = { schema: { type: 'integer' } };

/** The error codes of a call, by status. */
function codesByStatus(operation: Operation): Map<number, string[]> {
  const byStatus = new Map<number, string[]>();
  for (const code of codesOf(operation)) {
    const status = apiStatusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code].sort());
  }
  if (operation.method !== 'GET') byStatus.set(411, ['LENGTH_REQUIRED']);
  return byStatus;
}

/** The failures of all calls, each described once. */
interface FailureBook {
  /** The failure responses of a call. */
  write(operation: Operation): Record<string, Json>;
  components(): Record<string, Json>;
}

/**
 * A failure is named by its status and codes, without the codes that every call with this status has: `Error503`,
 * `Error403.SUSPENDED`.
 */
function createFailureBook(operations: readonly Operation[]): FailureBook {
  const shared = new Map<number, Set<string>>();
  for (const operation of operations)
    for (const [status, codes] of codesByStatus(operation)) {
      const before = shared.get(status);
      shared.set(status, new Set(before === undefined ? codes : codes.filter((code) => before.has(code))));
    }
  const components: Record<string, Json> = {};
  return {
    write(operation) {
      const failures = [...codesByStatus(operation)].map(([status, codes]) => {
        const name = [`Error${status}`, ...codes.filter((code) => !shared.get(status)?.has(code))].join('.');
        components[name] ??= {
          description: `${MEANINGS[status]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          ...(status === 412 ? { headers: { ETag: { $ref: '#/components/headers/ETag' } } } : {}),
          ...(status === 429 ? { headers: { 'Retry-After': integer } } : {}),
        };
        return [String(status), { $ref: `#/components/responses/${name}` }] as const;
      });
      return Object.fromEntries(failures);
    },
    components: () => components,
  };
}

/** What calls share: named schemas and failures. */
interface Books {
  schemas: SchemaBook;
  failures: FailureBook;
}

function envelopeSchema(data: JsonSchema): Json {
  const properties = { success: { const: true }, data, message: { type: 'string' } };
  return { type: 'object', properties, required: ['success', 'data'], additionalProperties: false };
}

/** The answer of calls that return no data. */
const DONE_SCHEMA = envelopeSchema({ type: 'object', properties: {}, additionalProperties: false });

/** What a program reads of a file: JSON is an object, CSV a text, anything else bytes. */
function fileSchema(type: string): Json {
  if (type === 'application/json') return { type: 'object' };
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

function successOf(operation: Operation, book: SchemaBook): Json {
  const { files, response, example } = operation;
  if (files) {
    const types = files.map((type) => type.split(';')[0] ?? type);
    const content = types.map((type) => [type, { schema: fileSchema(type) }]);
    return { description: 'The file.', content: Object.fromEntries(content) };
  }
  const isBare = Object.keys(response.shape).length === 0;
  const schema = isBare
    ? { $ref: '#/components/schemas/Done' }
    : envelopeSchema(book.write(response, 'output'));
  const shown = { success: true, data: example.data ?? {} };
  const headers = {
    ...(hasTag(operation) ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
    ...(hasCursor(operation) ? { Link: { $ref: '#/components/headers/Link' } } : {}),
    ...(operation.creates === undefined ? {} : { Location: { $ref: '#/components/headers/Location' } }),
  };
  return {
    description: operation.status === 201 ? 'Created; `Location` has its address.' : 'Done.',
    content: { 'application/json': { schema, example: shown } },
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
  };
}

/** Every response of a call. */
function responsesOf(operation: Operation, { schemas, failures }: Books): Record<string, Json> {
  const done = successOf(operation, schemas);
  return {
    ...(operation.mayCreateNothing ? { '200': { ...done, description: 'Done; nothing was created.' } } : {}),
    [String(operation.status)]: done,
    ...(hasTag(operation) ? { '304': { $ref: '#/components/responses/NotModified' } } : {}),
    ...failures.write(operation),
  };
}

function parametersIn(
  place: 'path' | 'query',
  schema: JsonSchema,
  examples: Readonly<Record<string, string>> = {},
): Json[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, property]) => {
    const example = examples[name];
    const { description, ...rest } = property;
    const list = rest['type'] === 'array' ? { style: 'form', explode: false } : {};
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...list,
      schema: rest,
      ...(example === undefined ? {} : { example }),
    };
  });
}

/** Path, query and header parameters of a call. */
function parametersOf(operation: Operation, book: SchemaBook): Json[] {
  const { params, query, scope, access, example } = operation;
  const headers = [
    ...(scope === 'write' && access !== 'public' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(takesIfMatch(operation) ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(hasTag(operation) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
  return [
    ...parametersIn('path', book.write(params, 'input'), example.params),
    ...parametersIn('query', book.write(query, 'input'), example.query),
    ...headers,
  ];
}

/** The body of a call; undefined if it has none. */
function requestBodyOf(operation: Operation, book: SchemaBook): Json | undefined {
  const { body, upload, example } = operation;
  if (upload) {
    const file = { type: 'string', format: 'binary', description: upload.description };
    const schema = { type: 'object', properties: { [upload.field]: file }, required: [upload.field] };
    const bodies = (upload.asBody ?? []).map((type) => {
      const plain = type === 'application/json' ? { type: 'object' } : { type: 'string' };
      const example = upload.bodyExamples?.[type] ?? (type === 'application/json' ? {} : '');
      return [type, { schema: { ...plain, description: upload.description }, example }];
    });
    const content = { 'multipart/form-data': { schema }, ...(Object.fromEntries(bodies) as Json) };
    return { required: true, content };
  }
  if (body === null) return undefined;
  const schema = book.write(body, 'input');
  const required = (schema.required ?? []).length > 0;
  return { required, content: { 'application/json': { schema, example: example.body ?? {} } } };
}

type Json = Record<string, unknown>;

/** The API's OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: Record<string, Json>;
}

/** One call in the document. `x-access` and `x-scope` say who may make it. */
export interface OpenApiOperation extends Json {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
  security: Json[];
  'x-access': Operation['access'];
  'x-scope': Operation['scope'];
  'x-session-only'?: true;
}

const DESCRIPTION = `Everything a page can do, for scripts and apps. Research reference only; not medical advice.

Success is \`{ "success": true, "data": {…} }\`, failure \`{ "success": false, "error": "CODE", "message": "…", "fields"? }\`.
Sign in with \`POST /api/auth/login\` and send the token as \`Authorization: Bearer …\`; a personal token from the profile
works the same way, within its scope. Unknown fields are rejected with 400 and their name. Instants are ISO 8601 in UTC,
calendar days \`YYYY-MM-DD\`. Writes accept an \`Idempotency-Key\`: sent again within 24 hours, the request returns the
first response. The limit is 600 requests a minute per token; \`RateLimit\` in the response to every call shows what is left. Requests
refused before the call is known don't have it: other addresses, methods and origins, and bodies that are too large. With
a 201, \`Location\` has the new address. Lists have pages: \`page\`, \`limit\` and \`total\`.`;

const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    success: { const: false },
    error: { type: 'string', description: 'A code that does not change' },
    message: { type: 'string', description: 'A message for people' },
    fields: {
      type: 'object',
      description: 'What is wrong, by field',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    current: { type: 'object', description: 'The record as it is, after `PRECONDITION_FAILED`' },
    warnings: {
      type: 'array',
      description: 'What to confirm, after `CONFIRM_DOSE`',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Of the dose, when several were sent' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
        required: ['code', 'message'],
        additionalProperties: false,
      },
    },
    rows: {
      type: 'array',
      description: 'What is wrong in a file, by row',
      items: {
        type: 'object',
        properties: {
          type: { type: 'string', description: 'The kind of record' },
          line: { type: 'integer', description: 'From 1; in JSON the position within its list' },
          field: { type: 'string', description: 'Empty if it concerns the whole row' },
          message: { type: 'string' },
        },
        required: ['type', 'line', 'field', 'message'],
        additionalProperties: false,
      },
    },
  },
  required: ['success', 'error', 'message'],
  additionalProperties: false,
};

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Your own key for this request. Sent again, the request runs only once and returns the same response.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of the record: 412 if it is not the current one. A list of them, or `*`.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of a stored response: 304 if it is still current.',
    schema: { type: 'string' },
  },
};

const HEADERS = {
  ETag: { description: 'Changes when the response does', schema: { type: 'string' } },
  Link: { description: 'The next page: `<…>; rel="next"`', schema: { type: 'string' } },
  Location: { description: 'The address of what was created', schema: { type: 'string' } },
};

const NOT_MODIFIED = { description: 'Nothing has changed since the response with this tag.' };

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  session: { type: 'apiKey', in: 'cookie', name: 'vialbook_session', description: 'Pages of this site only' },
};

/** Why a PUT accepts fields that it cannot change. */
const WHOLE_THING =
  'Only fields that differ from the GET response are changed, so you can send all of it back.';

function describeOperation(operation: Operation, books: Books): OpenApiOperation {
  const { id, tag, method, summary, access, scope, sessionOnly, confirmation } = operation;
  const description = [operation.description, confirmation ?? ''].join(' ').trim();
  const requestBody = requestBodyOf(operation, books.schemas);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: method === 'PUT' ? `${description} ${WHOLE_THING}` : description,
    parameters: parametersOf(operation, books.schemas),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(operation, books),
    security: access === 'public' ? [] : [{ bearer: [] }, { session: [] }],
    'x-access': access,
    'x-scope': scope,
    ...(sessionOnly && { 'x-session-only': true as const }),
  };
}

/**
 * Parameters that several calls have, described once: for each name the most frequent description, under that name with a
 * capital letter. The calls then refer to it.
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
    const [[form = '', count = 0] = []] = [...forms].toSorted(([, a], [, b]) => b - a);
    if (count > 1) shared.set(form, `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  }
  for (const call of calls)
    call.parameters = call.parameters.map((parameter) => {
      const component = shared.get(JSON.stringify(parameter));
      return component === undefined ? parameter : { $ref: `#/components/parameters/${component}` };
    });
  return Object.fromEntries([...shared].map(([form, name]) => [name, JSON.parse(form) as Json]));
}

/** Examples of answers that several calls have, written once, under the name of the first of these calls. */
function shareExamples(calls: readonly OpenApiOperation[]): Record<string, Json> {
  const answers = calls.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap(({ content }) => {
      const json = (content as Record<string, Json> | undefined)?.['application/json'];
      return json?.['example'] === undefined
        ? []
        : [{ operationId, json, text: JSON.stringify(json['example']) }];
    }),
  );
  const byText = new Map<string, typeof answers>();
  for (const answer of answers) byText.set(answer.text, [...(byText.get(answer.text) ?? []), answer]);
  const shared = [...byText.values()].filter(({ length }) => length > 1);
  return Object.fromEntries(
    shared.map((alike) => {
      const name = alike[0]?.operationId ?? '';
      const value = alike[0]?.json['example'];
      for (const { json } of alike) {
        delete json['example'];
        json['examples'] = { done: { $ref: `#/components/examples/${name}` } };
      }
      return [name, { value }];
    }),
  );
}

/** The document of these calls, for the server at `appUrl`. */
export function openApiDocument(operations: readonly Operation[], appUrl: string): OpenApiDocument {
  const books = { schemas: createSchemaBook(), failures: createFailureBook(operations) };
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations)
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation, books);
  const calls = Object.values(paths).flatMap((methods) => Object.values(methods));
  const parameters = { ...PARAMETERS, ...shareParameters(calls) };
  const examples = shareExamples(calls);
  return {
    openapi: '3.1.0',
    info: { title: 'Vialbook API', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: appUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...books.schemas.components(), Done: DONE_SCHEMA, Error: ERROR_SCHEMA },
      responses: { ...books.failures.components(), NotModified: NOT_MODIFIED },
      headers: HEADERS,
      parameters,
      examples,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
