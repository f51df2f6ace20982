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
  /** The cursor of a list's next page. */
  next?: string;
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
  const { message, fields, rows, current } = error;
  const warnings = error.warnings?.map(({ id, code, message: text }) => ({ id, code, message: text }));
  const code = publicCode(error);
  const details = rows === undefined ? { fields, warnings, current: current?.data } : { rows };
  const status = apiStatusOf(code);
  return {
    status,
    body: JSON.stringify({ success: false, error: code, message, ...details }),
    headers: {
      ...retryHeaders(error),
      ...(current === undefined ? {} : { ETag: current.tag }),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="vialbook"' } : {}),
    },
  };
}

/** Whether equal tags mean equal bytes. A change takes only the strong tags of records. */
export type TagStrength = 'strong' | 'weak';

/** The `ETag` of a body. */
export function tagOf(body: string, strength: TagStrength): string {
  const tag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  return strength === 'weak' ? `W/${tag}` : tag;
}

/** A tag for weak comparison: without `W/`, and that of a compressed response is that of the plain one. */
export const plainTag = (tag: string) => tag.replace(/^W\//, '').replace(/-(?:br|gzip)"$/, '"');

/** Whether the caller already has the body with this tag. */
function isKnown(request: Request, tag: string): boolean {
  const known = request.headers.get('If-None-Match') ?? '';
  return known.split(',').some((entry) => entry.trim() === '*' || plainTag(entry.trim()) === plainTag(tag));
}

/** Compresses a response. Its bytes are others then, so a strong tag is another one, too. */
async function compressed(request: Request, response: Response): Promise<Response> {
  const sent = await compressResponse(request, response);
  const tag = sent.status === 200 ? sent.headers.get('ETag') : null;
  const coding = sent.headers.get('Content-Encoding');
  if (tag !== null && !tag.startsWith('W/') && coding !== null)
    sent.headers.set('ETag', tag.replace(/"$/, `-${coding}"`));
  return sent;
}

/** Programs may cache a response, but must revalidate it each time. */
const MAY_BE_KEPT = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' };

/**
 * The HTTP response. Shared caches store nothing, and neither does a browser with a session cookie. A read has an ETag,
 * so that a program can check whether its last response is still current.
 * @param strength that of its tag; null for a response without one
 */
export function respond(
  request: Request,
  envelope: Envelope,
  strength: TagStrength | null = null,
): Promise<Response> {
  const { status, body } = envelope;
  const headers = new Headers({
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    ...envelope.headers,
  });
  if (strength !== null && status === 200) {
    const tag = tagOf(body, strength);
    headers.set('ETag', tag);
    if (request.headers.has('Authorization'))
      for (const [name, value] of Object.entries(MAY_BE_KEPT)) headers.set(name, value);
    if (isKnown(request, tag)) {
      headers.delete('Content-Type');
      return Promise.resolve(new Response(null, { status: 304, headers }));
    }
  }
  return compressed(request, new Response(body, { status, headers }));
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
    ...file.headers,
    'Cache-Control': 'no-store',
    'Content-Type': file.contentType,
    'Content-Disposition': attachment(file.fileName),
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  if (recipient.request.method === 'HEAD') return new Response(null, { headers });
  const body = createReadableStreamFromReadable(await file.open());
  return new Response(atClientsPace(body, recipient), { headers });
}
