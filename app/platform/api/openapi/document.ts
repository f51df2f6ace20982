import { type ErrorCode, API_STATUS } from '#app/domain/errors.ts';
import type { JsonSchema } from '#app/platform/api/json-schema.ts';
import { METHODS, type Operation } from '#app/platform/api/operation.ts';
import { type SchemaBook, createSchemaBook } from './schemas.ts';

/** What a status means, for who reads the document. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The input is not valid; `fields` says where.',
  401: 'Nobody is signed in, or the token is not valid.',
  402: 'Part of Premium, or the limit of the plan is reached.',
  403: 'Not allowed: another role, a token that may only read, a suspended account, a foreign origin.',
  404: 'There is no such thing, or it is somebody else’s.',
  409: 'It does not fit with what is there now.',
  411: 'The body needs a Content-Length.',
  413: 'The body is too large.',
  415: 'The body has another content type.',
  422: 'The file has rows that cannot be imported.',
  429: 'Too many requests; `Retry-After` says when to come again.',
  503: 'This part is not set up here, or cannot be reached at the moment.',
};

function codesOf(operation: Operation): ErrorCode[] {
  const { access, method, scope, sessionOnly, params, errors = [] } = operation;
  const codes: ErrorCode[] = [
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
  if (method !== METHODS[0]) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (scope === 'write' && access !== 'public') codes.push('CONFLICT', 'FORBIDDEN');
  return [...new Set(codes)];
}

const ERROR = { $ref: '#/components/schemas/Error' };

function failuresOf(operation: Operation): Record<string, Json> {
  const byStatus = new Map<number, string[]>();
  for (const code of codesOf(operation))
    byStatus.set(API_STATUS[code], [...(byStatus.get(API_STATUS[code]) ?? []), code]);
  if (operation.method !== 'GET') byStatus.set(411, ['LENGTH_REQUIRED']);
  const entries = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    entries.map(([status, codes]) => [
      String(status),
      {
        description: `${MEANINGS[status] ?? 'Refused.'} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
        content: { 'application/json': { schema: ERROR } },
        ...(status === 429 ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } } : {}),
      },
    ]),
  );
}

function envelopeSchema(data: JsonSchema): Json {
  const properties = { success: { const: true }, data, message: { type: 'string' } };
  return { type: 'object', properties, required: ['success', 'data'], additionalProperties: false };
}

function successOf(operation: Operation, book: SchemaBook): Json {
  const { files, response, example, isList } = operation;
  if (files) {
    const content = files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
    return { description: 'The file.', content: Object.fromEntries(content) };
  }
  const schema = envelopeSchema(book.write(response, 'output'));
  const shown = { success: true, data: example.data ?? {} };
  return {
    description: operation.status === 201 ? 'Made.' : 'Done.',
    content: { 'application/json': { schema, example: shown } },
    ...(isList ? { headers: { ETag: { schema: { type: 'string' } } } } : {}),
  };
}

/** Every answer that a call can give. */
function responsesOf(operation: Operation, book: SchemaBook): Record<string, Json> {
  return {
    [String(operation.status)]: successOf(operation, book),
    ...(operation.isList
      ? { '304': { description: 'Nothing changed since the answer with this tag.' } }
      : {}),
    ...failuresOf(operation),
  };
}

function parameter(place: 'path' | 'query', name: string, schema: JsonSchema, required: boolean): Json {
  const { description, ...rest } = schema;
  const list = rest['type'] === 'array' ? { style: 'form', explode: false } : {};
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    ...list,
    schema: rest,
  };
}

function parametersIn(place: 'path' | 'query', schema: JsonSchema): Json[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, property]) =>
    parameter(place, name, property, place === 'path' || required.includes(name)),
  );
}

/** What stands in the address and in the headers of a call. */
function parametersOf(operation: Operation, book: SchemaBook): Json[] {
  const { params, query, scope, access, isList } = operation;
  const headers = [
    ...(scope === 'write' && access !== 'public' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(isList ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
  return [
    ...parametersIn('path', book.write(params, 'input')),
    ...parametersIn('query', book.write(query, 'input')),
    ...headers,
  ];
}

/** The body of a call, undefined when it has none. */
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

/** The document of the API, OpenAPI 3.1. */
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
  description?: string;
  parameters: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
  security: Json[];
  'x-access': Operation['access'];
  'x-scope': Operation['scope'];
  'x-session-only': boolean;
}

const DESCRIPTION = `Everything a page can do, for scripts and apps. Research reference only; not medical advice.

Success is \`{ "success": true, "data": {…} }\`, failure \`{ "success": false, "error": "CODE", "message": "…", "fields"? }\`.
Sign in with \`POST /api/auth/login\` and send the token as \`Authorization: Bearer …\`; a personal token of the profile
works the same way, within its scope. Unknown fields are refused with 400 and their name. Instants are ISO 8601 in UTC,
calendar days \`YYYY-MM-DD\`. Writes take an \`Idempotency-Key\`: sent again within 24 hours it gives the first answer
again. 600 requests a minute for each token.`;

const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    success: { const: false },
    error: { type: 'string', description: 'A code that does not change' },
    message: { type: 'string', description: 'For the person' },
    fields: {
      type: 'object',
      description: 'What is wrong, by field',
      additionalProperties: { type: 'array', items: { type: 'string' } },
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
    description: 'Your own name for this request. Sent again, it runs once and gives the same answer.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of the answer you kept: 304 when it is still right.',
    schema: { type: 'string' },
  },
};

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  session: { type: 'apiKey', in: 'cookie', name: 'vialbook_session', description: 'Pages of this site only' },
};

function describeOperation(operation: Operation, book: SchemaBook): OpenApiOperation {
  const { id, tag, summary, description, access, scope, sessionOnly } = operation;
  const requestBody = requestBodyOf(operation, book);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: parametersOf(operation, book),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(operation, book),
    security: access === 'public' ? [] : [{ bearer: [] }, { session: [] }],
    'x-access': access,
    'x-scope': scope,
    'x-session-only': sessionOnly,
  };
}

/** The document of these calls, served at `appUrl`. */
export function openApiDocument(operations: readonly Operation[], appUrl: string): OpenApiDocument {
  const book = createSchemaBook();
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations)
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation, book);
  return {
    openapi: '3.1.0',
    info: { title: 'Vialbook API', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: appUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...book.components(), Error: ERROR_SCHEMA },
      parameters: PARAMETERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
