import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isRouteErrorResponse } from '@remix-run/react';
import type { Logger } from 'pino';
import type { EntryContext } from '@remix-run/node';
import type { ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { isAppError } from '#app/domain/errors.ts';
import { currentLog } from '#app/platform/log/log.server.ts';
import { secretFolderOf } from './addresses.ts';

function isExpected(error: unknown): boolean {
  return (
    isAppError(error) || error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)
  );
}

/** Logs a bug once, with its request's id. Errors thrown deliberately are responses, not bugs. */
export function reportError(error: unknown, fields: { requestId?: string }): void {
  const log: Pick<Logger, 'error'> = currentLog();
  if (!isExpected(error)) log.error({ err: error, ...fields }, 'unexpected error');
}

/**
 * Pages of signed-in users are not cached at all (ASVS 14.3.2), others only for going back. A response with its own
 * Cache-Control (a file, a probe) keeps it.
 */
export function setCacheControl(request: Request, headers: Headers): void {
  if (headers.has('Cache-Control')) return;
  const isPrivate = secretFolderOf(new URL(request.url).pathname) !== null;
  const signedIn = (request.headers.get('Cookie') ?? '').includes('vialbook_session=');
  headers.set(
    'Cache-Control',
    isPrivate || signedIn || headers.has('Set-Cookie') ? 'no-store' : 'private, no-cache',
  );
}

/**
 * Applies headers from loaders and actions to the document. Remix itself only copies cookies, so Retry-After would be lost.
 */
export function setDocumentHeaders(
  { staticHandlerContext: { actionHeaders, loaderHeaders } }: EntryContext,
  status: number,
  headers: Headers,
): void {
  for (const own of [...Object.values(loaderHeaders), ...Object.values(actionHeaders)]) {
    const retryAfter = own.get('Retry-After');
    if (retryAfter !== null) headers.set('Retry-After', retryAfter);
  }
  // Only pages without an action get here; the server's entry has already rejected other methods.
  if (status === 405) headers.set('Allow', 'GET, HEAD');
}

const inGzip = promisify(gzip);
const inBrotli = promisify(brotliCompress);

interface RenderOptions {
  request: Request;
  status: number;
  headers: Headers;
  /** The nonce of this page's scripts. */
  nonce: string;
  requestId: string;
  timeoutMs: number;
}

interface Rendered {
  html: Buffer<ArrayBuffer>;
  /** Part of the page could not be rendered. */
  hasFailed: boolean;
}

/**
 * React 18 sends its buffer of 2048 bytes whole, so where a letter of several bytes does not fit in anymore, zeros follow (fixed
 * in React 19, https://github.com/facebook/react/pull/26228). In a field's value, browsers turn them into U+FFFD, which would
 * then be saved. HTML never contains that byte.
 */
const withoutNulls = (chunk: Buffer): Uint8Array =>
  chunk.includes(0) ? chunk.filter((byte) => byte !== 0) : chunk;

/** Renders completely: waits for lazily loaded code and the loaders' data, and reports failures. */
function render(
  page: ReactElement,
  { request, nonce, requestId, timeoutMs }: RenderOptions,
): Promise<Rendered> {
  return new Promise((resolve, reject) => {
    let hasFailed = false;
    const timer = setTimeout(() => abort(new Error('rendering took too long')), timeoutMs);
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      onAllReady() {
        clearTimeout(timer);
        const chunks: Buffer[] = [];
        const sink = new PassThrough();
        sink.on('data', (chunk: Buffer) => chunks.push(chunk));
        sink.on('end', () => resolve({ html: Buffer.concat(chunks.map(withoutNulls)), hasFailed }));
        sink.on('error', reject);
        pipe(sink);
      },
      onShellError(error) {
        clearTimeout(timer);
        reject(error as Error);
      },
      onError(error) {
        hasFailed = true;
        if (!request.signal.aborted) reportError(error, { requestId });
      },
    });
  });
}

/**
 * How a body is compressed, best first, and from how many bytes on. Both levels take about the same time for a large body, of which
 * Brotli leaves a sixth less; a small one takes Brotli longer and gets no smaller.
 */
const CODINGS = [
  {
    name: 'br',
    least: 64_000,
    compress: (body: Buffer) =>
      inBrotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 4,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
        },
      }),
  },
  {
    name: 'gzip',
    least: 1024,
    compress: (body: Buffer) => inGzip(body, { level: 4 }),
  },
] as const;

/** The coding that a request's `Accept-Encoding` prefers for this many bytes; undefined if none is allowed or worth it. */
function codingFor(request: Request, bytes: number): (typeof CODINGS)[number] | undefined {
  const weights = new Map<string, number>();
  for (const coding of request.headers.get('accept-encoding')?.toLowerCase().split(',') ?? []) {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name, Number(weight));
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const allowed = CODINGS.filter(({ name, least }) => bytes >= least && weightOf(name) > 0);
  return allowed.toSorted((a, b) => weightOf(b.name) - weightOf(a.name))[0];
}

/** A response with a complete body and its length, compressed if that helps. */
async function respond(
  request: Request,
  body: Buffer<ArrayBuffer>,
  status: number,
  headers: Headers,
): Promise<Response> {
  headers.append('Vary', 'Accept-Encoding');
  const coding = codingFor(request, body.byteLength);
  const bytes = coding === undefined ? body : await coding.compress(body);
  if (coding !== undefined) headers.set('Content-Encoding', coding.name);
  headers.set('Content-Length', String(bytes.byteLength));
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  return new Response(bytes, { status, headers });
}

/** A complete HTML response. */
export async function renderDocument(page: ReactElement, options: RenderOptions): Promise<Response> {
  const { request, status, headers } = options;
  const { html, hasFailed } = await render(page, options);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return respond(request, html, hasFailed ? 500 : status, headers);
}

/** The same for a data response; one without a body stays as it is. */
export async function compressResponse(request: Request, response: Response): Promise<Response> {
  if (response.body === null || response.headers.has('Content-Encoding')) return response;
  const body = Buffer.from(await response.arrayBuffer());
  return respond(request, body, response.status, response.headers);
}
