import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ReactElement } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { CompleteResponse } from './complete-response.server.ts';
import { reportError } from './report-error.server.ts';

const compress = promisify(gzip);

/** Below this many bytes compression costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1024;

export interface RenderOptions {
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
export function acceptsGzip(request: Request): boolean {
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
