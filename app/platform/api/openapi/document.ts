import { meaningOf } from '#app/domain/api-glossary.ts';
import {
  apiStatusOf,
  CONFLICT_CODES,
  STATUS,
  type ConflictCode,
  type ErrorCode,
} from '#app/domain/errors.ts';
import { WEBHOOK_EVENT_LABELS } from '#app/domain/webhooks/webhook.ts';
import { webhookMessageShape } from '#app/domain/webhooks/webhook-message.ts';
import type { JsonSchema } from '#app/platform/api/json-schema.ts';
import { hasCursor, hasTag, METHODS, takesIfMatch, type Operation } from '#app/platform/api/operation.ts';
import { createSchemaBook, type SchemaBook } from './schemas.ts';
import type { Json, OpenApiDocument, OpenApiOperation } from './model.ts';
import { share } from './sharing.ts';

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

/** Whether a call runs only once for an `Idempotency-Key`. */
const takesKey = ({ scope, access }: Operation): boolean => scope === 'write' && access !== 'public';

function codesOf(operation: Operation): (ConflictCode | ErrorCode)[] {
  const { access, method, sessionOnly, params, errors = [] } = operation;
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
  if (takesKey(operation)) codes.push(...KEY_CODES, 'FORBIDDEN');
  return [...new Set(codes)];
}

/** References to headers of the document. */
const headers = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${keyOf(name)}` }]));

/** A header's key among the shared parts: short, because nearly every response names some. */
const keyOf = (header: string): string =>
  header === 'RateLimit' ? 'Rate' : header.replace(/^(?:Idempotency|RateLimit)-/, '');

/** The headers of the response to every call, beside `API-Version`, which the introduction describes. */
const EVERY_ANSWER = ['RateLimit', 'RateLimit-Policy'] as const;

/** Further headers of failures, by status. */
const FAILURE_HEADERS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  412: ['ETag'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

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

/** Failures that every call may have for the same reasons; only where a call has further ones are they listed. */
const COMMON = new Set([411, 413, 415, 429, 503]);

/** The failures of all calls, each described once. */
interface FailureBook {
  /** The failure responses of a call. */
  write(operation: Operation): Record<string, Json>;
  components(): Record<string, Json>;
}

/**
 * A failure is named by its status, and by the codes in which it differs from the most frequent one with that status: `403`,
 * `403.FORBIDDEN`.
 */
function createFailureBook(operations: readonly Operation[]): FailureBook {
  const counts = new Map<number, Map<string, number>>();
  for (const operation of operations)
    for (const [status, codes] of codesByStatus(operation)) {
      const sets = counts.get(status) ?? new Map<string, number>();
      counts.set(status, sets.set(codes.join(), (sets.get(codes.join()) ?? 0) + 1));
    }
  /** The most frequent codes of a status, and those that all calls with this status have. */
  const usual = (status: number) => {
    const sets = [...(counts.get(status) ?? [])]
      .toSorted(([, a], [, b]) => b - a)
      .map(([codes]) => codes.split(','));
    const [most = []] = sets;
    return { most, shared: most.filter((code) => sets.every((codes) => codes.includes(code))) };
  };
  const components: Record<string, Json> = {};
  return {
    write(operation) {
      const failures = [...codesByStatus(operation)].flatMap(([status, codes]) => {
        const { most, shared } = usual(status);
        const isUsual = codes.join() === most.join();
        if (COMMON.has(status) && isUsual) return [];
        const differing = isUsual ? [] : codes.filter((code) => !shared.includes(code));
        const name = [status, ...differing].join('.');
        components[name] ??= {
          description: `${MEANINGS[status]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
          headers: headers(...EVERY_ANSWER, ...(FAILURE_HEADERS[status] ?? [])),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        };
        return [[String(status), { $ref: `#/components/responses/${name}` }] as const];
      });
      return { ...Object.fromEntries(failures), default: { $ref: '#/components/responses/Other' } };
    },
    components: () => ({
      ...components,
      Other: {
        description: [...COMMON].map((status) => `${status}: ${MEANINGS[status]}`).join(' '),
        headers: headers(...EVERY_ANSWER, 'Retry-After'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    }),
  };
}

/** What calls share: named schemas and failures. */
interface Books {
  schemas: SchemaBook;
  failures: FailureBook;
}

function envelopeSchema(data: JsonSchema): Json {
  const properties = {
    success: { $ref: '#/components/schemas/Success' },
    data: { ...data, description: meaningOf('Success', 'data') },
    message: { $ref: '#/components/schemas/Message' },
  };
  return { type: 'object', properties, required: ['success', 'data'] };
}

/** What a program reads of a file: JSON is an object, CSV a text, anything else bytes. */
function fileSchema(type: string): Json {
  if (type === 'application/json') return { type: 'object' };
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

/** Names of the headers of a success. */
function successHeaders(operation: Operation): string[] {
  return [
    ...EVERY_ANSWER,
    ...(operation.files ? ['Content-Disposition'] : []),
    ...(operation.headers ?? []),
    ...(hasTag(operation) ? ['ETag'] : []),
    ...(hasCursor(operation) ? ['Link'] : []),
    ...(operation.creates === undefined ? [] : ['Location']),
    ...(takesKey(operation) ? ['Idempotency-Replayed'] : []),
  ];
}

function successOf(operation: Operation, book: SchemaBook): Json {
  const { files, response, example, tag } = operation;
  if (files) {
    const types = files.map((type) => type.split(';')[0] ?? type);
    const content = types.map((type) => [type, { schema: fileSchema(type) }]);
    return {
      description: 'The file.',
      headers: headers(...successHeaders(operation)),
      content: Object.fromEntries(content),
    };
  }
  const schema = envelopeSchema(book.write(response, 'output', tag));
  const shown = { success: true, data: example.data ?? {} };
  return {
    description: operation.status === 201 ? 'Created; `Location` has its address.' : 'Done.',
    headers: headers(...successHeaders(operation)),
    content: { 'application/json': { schema, example: shown } },
  };
}

/** Every response of a call. */
function responsesOf(operation: Operation, { schemas, failures }: Books): Record<string, Json> {
  const done = successOf(operation, schemas);
  return {
    ...(operation.mayCreateNothing ? { '200': { ...done, description: 'Done; nothing was created.' } } : {}),
    [String(operation.status)]: done,
    ...(hasTag(operation) ? { '304': { $ref: '#/components/responses/304' } } : {}),
    ...failures.write(operation),
  };
}

/** An example as in an address, as its schema has it. */
function exampleIn({ type }: JsonSchema, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (type === 'boolean') return text === 'true' || text === '1';
  if (type === 'array') return text.split(',');
  return type === 'integer' || type === 'number' ? Number(text) : text;
}

function parametersIn(
  place: 'path' | 'query',
  schema: JsonSchema,
  heading: string,
  examples: Readonly<Record<string, string>> = {},
): Json[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, property]) => {
    const example = exampleIn(property, examples[name]);
    const { description = meaningOf(heading, name), ...rest } = property;
    const list = rest['type'] === 'array' ? { style: 'form', explode: false } : {};
    return {
      name,
      in: place,
      ...(place === 'path' || required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      ...list,
      schema: rest,
      ...(example === undefined ? {} : { example }),
    };
  });
}

/** Path, query and header parameters of a call. */
function parametersOf(operation: Operation, book: SchemaBook): Json[] {
  const { params, query, tag, example } = operation;
  const inHeader = [
    ...(takesKey(operation) ? [{ $ref: '#/components/parameters/Key' }] : []),
    ...(takesIfMatch(operation) ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(hasTag(operation) ? [{ $ref: '#/components/parameters/Tag' }] : []),
  ];
  return [
    ...parametersIn('path', book.write(params, 'input', tag), tag, example.params),
    ...parametersIn('query', book.write(query, 'input', tag), tag, example.query),
    ...inHeader,
  ];
}

/** The body of a call; undefined if it has none. */
function requestBodyOf(operation: Operation, book: SchemaBook): Json | undefined {
  const { body, upload, example, tag } = operation;
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
  const schema = book.write(body, 'input', tag);
  const required = operation.needsBody === true || (schema.required ?? []).length > 0;
  return { required, content: { 'application/json': { schema, example: example.body ?? {} } } };
}

const DESCRIPTION = `Everything a page can do, for scripts and apps. Research reference only; not medical advice.

Success is \`{ "success": true, "data": {…} }\`, failure \`{ "success": false, "error": "CODE", "message": "…", "fields"? }\`.
Sign in with \`POST /api/auth/login\` and send the token as \`Authorization: Bearer …\`; a personal token from the profile
works the same way, within its scope. Unknown fields are rejected with 400 and their name. Instants are ISO 8601 in UTC,
calendar days \`YYYY-MM-DD\`. Writes accept an \`Idempotency-Key\`: sent again within 24 hours, the request returns the
first response. The limit is 600 requests a minute per token; \`RateLimit\` in the response to every call shows what is left. Requests
refused before the call is known don't have it: other addresses, methods and origins, and bodies that are too large. A PUT changes
only the fields that differ from the GET response, so you can send all of it back. Numbers in a request may also be decimal
text (\`"0.25"\`), which is taken exactly; a dose may name its unit there (\`"250 mcg"\`).
An unusual amount (twice or half of the plan or of the last three doses, above one of your ceilings, or ten times what is left in the
vial) returns 409 \`CONFIRM_DOSE\` with its \`warnings\`, and nothing is saved. Fields and codes are added
without notice, so ignore those you don't know; \`API-Version\` in every response is the day of the last change.`;

const ERROR_SCHEMA = {
  type: 'object',
  description: 'A failure',
  properties: {
    success: { type: 'boolean', const: false, description: 'False: nothing was done' },
    error: { $ref: '#/components/schemas/ErrorCode' },
    message: { $ref: '#/components/schemas/Message' },
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
          code: { type: 'string', description: 'What is unusual; does not change' },
          message: { type: 'string', description: 'For people' },
        },
        required: ['code', 'message'],
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
          message: { type: 'string', description: 'For people' },
        },
        required: ['type', 'line', 'field', 'message'],
      },
    },
  },
  required: ['success', 'error', 'message'],
};

/** The codes of failures. */
const ERROR_CODES = [
  ...Object.keys(STATUS).filter((code) => code !== 'CONFLICT'),
  ...CONFLICT_CODES,
  'INTERNAL',
];

/** Schemas of every answer. */
const ANSWERS = {
  Success: { type: 'boolean', const: true, description: 'True: it was done' },
  Message: { type: 'string', description: 'A sentence for people' },
  Error: ERROR_SCHEMA,
  ErrorCode: {
    type: 'string',
    description: 'What went wrong. Codes do not change; new ones may be added',
    enum: ERROR_CODES.toSorted(),
  },
};

const inMessage = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** `*`, or entity tags with commas between them; see `preconditionOf`. */
const IF_MATCH_PATTERN = '^(\\*|(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*)$';

const PARAMETERS = {
  Key: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Your own key for this request. Sent again, the request runs only once and returns the same response.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  Signature: inMessage('Vialbook-Signature', '`t=<unix time>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>`'),
  MessageId: inMessage('webhook-id', 'Id of the event, the same on every try'),
  SentAt: inMessage('webhook-timestamp', 'When it was sent, as unix time'),
  Signatures: inMessage(
    'webhook-signature',
    '`v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, as in Standard Webhooks',
  ),
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the record: 412 if it is not the current one. A list of them, or `*`.',
    schema: { type: 'string', pattern: IF_MATCH_PATTERN },
  },
  Tag: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of a stored response: 304 if it is still current.',
    schema: { type: 'string' },
  },
};

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
});

const HEADERS = {
  'Content-Disposition': text('The name of the file', 'attachment; filename="export.csv"'),
  ETag: text('Changes when the response does', '"6f1b1c3e9a7d4b2f8e0c5a61d3b7c9e0"'),
  Replayed: {
    description: 'Only on the first response, sent again for the same `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: text('The next page; none after the last', '<https://example.org/api/orders?cursor=…>; rel="next"'),
  Location: text('The address of what was created', '/api/orders/order_6740f1a29c1b2d3e4f506172'),
  'Record-Count': text('How many records the file has', '12'),
  Rate: text('Calls left in this window, and seconds until it ends', '"api";r=599;t=60'),
  Policy: text('Calls in a window, and its seconds', '"api";q=600;w=60'),
  'Retry-After': {
    description: 'Seconds until it is worth trying again; not on every 503',
    schema: { type: 'integer', minimum: 0 },
    example: 30,
  },
  'WWW-Authenticate': text('How to sign in', 'Bearer realm="vialbook"'),
};

const OTHER_ANSWERS = {
  '304': {
    description: 'Nothing has changed since the response with this tag.',
    headers: headers(...EVERY_ANSWER, 'ETag'),
  },
  Received: { description: 'Received. After any other response the message is sent again.' },
};

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  session: { type: 'apiKey', in: 'cookie', name: 'vialbook_session', description: 'Pages of this site only' },
};

/** Headers of a message to a webhook, as components. */
const WEBHOOK_HEADERS = ['Signature', 'MessageId', 'SentAt', 'Signatures'];

function describeOperation(operation: Operation, books: Books): OpenApiOperation {
  const { id, tag, summary, access, scope, sessionOnly, confirmation } = operation;
  const description = [operation.description, confirmation ?? ''].join(' ').trim();
  const requestBody = requestBodyOf(operation, books.schemas);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters: parametersOf(operation, books.schemas),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(operation, books),
    ...(access === 'public' ? { security: [] } : {}),
    'x-access': access,
    ...(scope === 'write' && { 'x-scope': scope }),
    ...(sessionOnly && { 'x-session-only': true as const }),
  };
}

/** The body of every message to a webhook. */
const messageBody = (book: SchemaBook): Json => ({
  required: true,
  content: { 'application/json': { schema: book.write(webhookMessageShape, 'output', 'Webhooks') } },
});

/** The messages that go to webhooks, by event. */
function describeWebhooks(): OpenApiDocument['webhooks'] {
  const described = Object.entries(WEBHOOK_EVENT_LABELS).map(([type, summary]) => {
    const message = {
      operationId: `on-${type.replaceAll('.', '-')}`,
      summary,
      parameters: WEBHOOK_HEADERS.map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: { $ref: '#/components/requestBodies/Message' },
      responses: { '2XX': { $ref: '#/components/responses/Received' } },
      security: [],
    };
    return [type, { post: message }];
  });
  return Object.fromEntries(described) as OpenApiDocument['webhooks'];
}

/** The document of these calls, for the server at `appUrl`. */
export function openApiDocument(operations: readonly Operation[], appUrl: string): OpenApiDocument {
  const books = { schemas: createSchemaBook(), failures: createFailureBook(operations) };
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations)
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation, books);
  const requestBodies = { Message: messageBody(books.schemas) };
  const calls = Object.values(paths).flatMap((methods) => Object.values(methods));
  const records = books.schemas.components();
  const shared = share(calls, records);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return {
    openapi: '3.1.0',
    info: { title: 'Vialbook API', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: appUrl }],
    security: [{ bearer: [] }, { session: [] }],
    tags: tags.map((name) => ({ name, description: meaningOf(name) ?? '' })),
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas: { ...records, ...shared.schemas, ...ANSWERS },
      responses: { ...shared.responses, ...books.failures.components(), ...OTHER_ANSWERS },
      headers: HEADERS,
      parameters: { ...PARAMETERS, ...shared.parameters },
      requestBodies,
      examples: shared.examples,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
