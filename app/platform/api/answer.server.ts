import { createHash } from 'node:crypto';
import { createReadableStreamFromReadable } from '@remix-run/node';
import { AppError, apiStatusOf, isAppError, publicCode, retryHeaders } from '#app/domain/errors.ts';
import { atClientsPace, type Recipient, attachment } from '#app/platform/http/file-response.server.ts';
import { compressResponse, reportError } from '#app/platform/http/render.server.ts';
import type { FileReply } from './operation.ts';

/** The contents of a response; also what is stored for a repeated Idempotency-Key. */
export interface Envelope {
  status: number;
  body: string;
  headers: Record<string, string>;
}

/** The envelope of a success. */
export function success(status: number, data: unknown, message?: string): Envelope {
  return { status, body: JSON.stringify({ success: true, data, message }), headers: {} };
}

/** The envelope of a failure. Anything but an `AppError` is a bug: it is logged, and the response says nothing about it. */
export function failure(error: unknown, requestId: string): Envelope {
  if (!isAppError(error)) {
    reportError(error, { requestId });
    const body = { success: false, error: 'INTERNAL', message: 'Something went wrong. Please try again.' };
    return { status: 500, body: JSON.stringify(body), headers: {} };
  }
  const { message, fields, rows } = error;
  const warnings = error.warnings?.map(({ id, code, message: text }) => ({ id, code, message: text }));
  const code = publicCode(error);
  const details = rows === undefined ? { fields, warnings } : { rows };
  const status = apiStatusOf(code);
  return {
    status,
    body: JSON.stringify({ success: false, error: code, message, ...details }),
    headers: {
      ...retryHeaders(error),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="vialbook"' } : {}),
    },
  };
}

const tagOf = (body: string) => `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** Whether the caller already has this body. Weak comparison: `W/` is ignored. */
function isKnown(request: Request, tag: string): boolean {
  const known = request.headers.get('If-None-Match') ?? '';
  return known
    .split(',')
    .some((entry) => entry.trim() === '*' || entry.trim().replace(/^W\//, '') === tag.slice(2));
}

/** Programs may cache a response, but must revalidate it each time. */
const MAY_BE_KEPT = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' };

/**
 * The HTTP response. Shared caches store nothing, and neither does a browser with a session cookie. A read has an ETag,
 * so that a program can check whether its last response is still current.
 */
export function respond(request: Request, envelope: Envelope, withTag = false): Promise<Response> {
  const { status, body } = envelope;
  const headers = new Headers({
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    ...envelope.headers,
  });
  if (withTag && status === 200) {
    const tag = tagOf(body);
    headers.set('ETag', tag);
    if (request.headers.has('Authorization'))
      for (const [name, value] of Object.entries(MAY_BE_KEPT)) headers.set(name, value);
    if (isKnown(request, tag)) {
      headers.delete('Content-Type');
      return Promise.resolve(new Response(null, { status: 304, headers }));
    }
  }
  return compressResponse(request, new Response(body, { status, headers }));
}

/** The response to a method that an address lacks: 204 to OPTIONS, otherwise 405, both with those it has. */
export function otherMethod(
  request: Request,
  methods: readonly string[],
  requestId: string,
): Promise<Response> {
  const Allow = [...methods, 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS')
    return Promise.resolve(new Response(null, { status: 204, headers: { Allow } }));
  const error = new AppError('METHOD_NOT_ALLOWED', `This address accepts only ${methods.join(', ')}.`);
  return respond(request, withHeaders(failure(error, requestId), { Allow }));
}

/** The same with more headers. */
export const withHeaders = (envelope: Envelope, headers: Readonly<Record<string, string>>): Envelope => ({
  ...envelope,
  headers: { ...envelope.headers, ...headers },
});

/**
 * A response that is a file, read from its source only as fast as the client reads it.
 * @throws AppError RATE_LIMITED, and other errors of the file
 */
export async function respondWithFile(
  recipient: Recipient,
  file: FileReply,
  more: Readonly<Record<string, string>>,
): Promise<Response> {
  const headers = {
    ...more,
    'Cache-Control': 'no-store',
    'Content-Type': file.contentType,
    'Content-Disposition': attachment(file.fileName),
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  if (recipient.request.method === 'HEAD') return new Response(null, { headers });
  const body = createReadableStreamFromReadable(await file.open());
  return new Response(atClientsPace(body, recipient), { headers });
}
