import type { ErrorCode } from '#app/domain/errors.ts';
import type { JsonSchema } from '#app/platform/api/json-schema.ts';
import { METHODS, type Operation } from '#app/platform/api/operation.ts';
import { API_STATUS } from '#app/platform/api/status.ts';
import type { SchemaBook } from './schemas.ts';

type Json = Record<string, unknown>;

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
export function responsesOf(operation: Operation, book: SchemaBook): Record<string, Json> {
  return {
    [String(operation.status)]: successOf(operation, book),
    ...(operation.isList
      ? { '304': { description: 'Nothing changed since the answer with this tag.' } }
      : {}),
    ...failuresOf(operation),
  };
}
