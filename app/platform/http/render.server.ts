import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isRouteErrorResponse } from '@remix-run/react';
import type { Logger } from 'pino';
import type { EntryContext } from '@remix-run/node';
import type { ReactElement } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { isAppError } from '#app/domain/errors.ts';
import { currentLog } from '#app/platform/log/log.server.ts';
import { secretFolderOf } from './addresses.ts';
import { CompleteResponse } from './complete-response.server.ts';

function isExpected(error: unknown): boolean {
  return (
    isAppError(error) || error instanceof Response || (isRouteErrorResponse(error) && error.status < 500)
  );
}

/** Logs a defect once, with its request's id; what was thrown on purpose is an answer, not a defect. */
export function reportError(error: unknown, fields: { requestId?: string }): void {
  const log: Pick<Logger, 'error'> = currentLog();
  if (!isExpected(error)) log.error({ err: error, ...fields }, 'unexpected error');
}

/**
 * Pages are made for one reader: those of somebody signed in are kept nowhere (ASVS 14.3.2), the rest only to go back
 * to. An answer that says otherwise itself (a file, a probe) is left alone.
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
 * What loaders and actions say about the answer as a whole. The framework takes only cookies from them into a page:
 * without this a refused attempt would not say when to come back.
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
  // Only pages without an action answer so; the server's entry has refused other methods already.
  if (status === 405) headers.set('Allow', 'GET, HEAD');
}

const compress = promisify(gzip);

/** Below this many bytes compression costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1024;

interface RenderOptions {
  request: Request;
  status: number;
  headers: Headers;
  timeoutMs: number;
}

/** What React leaves where a boundary was given up: something in it failed, or has to be waited for. */
const GIVEN_UP = '<!--$!-->';

/**
 * The whole page as one string, which costs React a third less than its stream of small encoded pieces; null when that
 * cannot be done at once. Then {@link renderWaiting} shows what is the matter.
 */
function renderAtOnce(page: ReactElement): string | null {
  try {
    const html = renderToString(page);
    return html.includes(GIVEN_UP) ? null : `<!DOCTYPE html>${html}`;
  } catch {
    return null;
  }
}

/** Renders to the end: waits for code that a page loads when it is first shown, and reports what fails. */
function renderWaiting(page: ReactElement, timeoutMs: number): Promise<{ html: string; failed: boolean }> {
  return new Promise((resolve, reject) => {
    let failed = false;
    const timer = setTimeout(() => abort(new Error('rendering took too long')), timeoutMs);
    const { pipe, abort } = renderToPipeableStream(page, {
      onAllReady() {
        clearTimeout(timer);
        const chunks: Buffer[] = [];
        const sink = new PassThrough();
        sink.on('data', (chunk: Buffer) => chunks.push(chunk));
        sink.on('end', () => resolve({ html: Buffer.concat(chunks).toString(), failed }));
        sink.on('error', reject);
        pipe(sink);
      },
      onShellError(error) {
        clearTimeout(timer);
        reject(error as Error);
      },
      onError(error) {
        failed = true;
        reportError(error, {});
      },
    });
  });
}

/** True when the request's `Accept-Encoding` allows gzip. */
function acceptsGzip(request: Request): boolean {
  return /(^|[\s,])(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(
    request.headers.get('accept-encoding') ?? '',
  );
}

/** A response from bytes that are complete: compressed once where that helps, with its length. */
async function respond(
  request: Request,
  body: Buffer<ArrayBuffer>,
  status: number,
  headers: Headers,
): Promise<Response> {
  headers.append('Vary', 'Accept-Encoding');
  const helps = body.byteLength >= MIN_COMPRESSED_BYTES && acceptsGzip(request);
  const bytes = helps ? await compress(body, { level: 4 }) : body;
  if (helps) headers.set('Content-Encoding', 'gzip');
  headers.set('Content-Length', String(bytes.byteLength));
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  return new CompleteResponse(bytes, { status, headers });
}

/**
 * A complete HTML response.
 * @param after what follows the page, as HTML; asked for when it is rendered
 */
export async function renderDocument(
  page: ReactElement,
  after: () => Promise<string>,
  options: RenderOptions,
): Promise<Response> {
  const { request, status, headers, timeoutMs } = options;
  const atOnce = renderAtOnce(page);
  const { html, failed } =
    atOnce === null ? await renderWaiting(page, timeoutMs) : { html: atOnce, failed: false };
  headers.set('Content-Type', 'text/html; charset=utf-8');
  const body = Buffer.from(html + (await after()));
  return respond(request, body, failed ? 500 : status, headers);
}

/** The same for an answer that is data; one without a body stays as it is. */
export async function compressResponse(request: Request, response: Response): Promise<Response> {
  if (response.body === null || response.headers.has('Content-Encoding')) return response;
  const body = Buffer.from(await response.arrayBuffer());
  return respond(request, body, response.status, response.headers);
}

/** As in React's and Remix's own scripts: nothing in a text may end its script, or the line that it is on. */
const UNSAFE: Record<string, string> = {
  '&': '\\u0026',
  '>': '\\u003e',
  '<': '\\u003c',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
const inScript = (text: string): string =>
  JSON.stringify(text).replace(/[&><\u2028\u2029]/g, (match) => UNSAFE[match] ?? match);

/**
 * What the loaders answered, for the browser's scripts, as HTML that follows the page; empty where the page has none. Remix
 * would wait for it piece by piece within React; here all of it is there when the page is, since no loader leaves anything
 * for later.
 * @param data `serverHandoffStream` of the context that Remix gives
 * @param nonce that scripts of this page carry
 */
export async function loaderDataScripts(
  data: ReadableStream<Uint8Array> | undefined,
  { renderMeta }: Pick<EntryContext, 'renderMeta'>,
  nonce: string,
): Promise<string> {
  if (data === undefined || renderMeta?.didRenderScripts !== true) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of data) text += decoder.decode(piece, { stream: true });
  const enqueued = `window.__remixContext.streamController.enqueue(${inScript(text)});`;
  const closed = 'window.__remixContext.streamController.close();';
  return `<script nonce="${nonce}">${enqueued}${closed}</script>`;
}
