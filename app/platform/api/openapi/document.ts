import type { Operation } from '#app/platform/api/operation.ts';
import { responsesOf } from './answers.ts';
import { parametersOf, requestBodyOf } from './requests.ts';
import { createSchemaBook, type SchemaBook } from './schemas.ts';

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
