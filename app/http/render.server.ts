import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { reportError } from './report.server.ts';

const compress = promisify(gzip);

/** Below this many bytes compression costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1024;

export interface RenderOptions {
  request: Request;
  status: number;
  headers: Headers;
  timeoutMs: number;
}

/** Renders to the end: a page here waits for nothing after its loaders, so one buffer is as early as a stream. */
function renderToBuffer(page: ReactElement, timeoutMs: number): Promise<{ body: Buffer; failed: boolean }> {
  return new Promise((resolve, reject) => {
    let failed = false;
    const timer = setTimeout(() => abort(new Error('rendering took too long')), timeoutMs);
    const { pipe, abort } = renderToPipeableStream(page, {
      onAllReady() {
        clearTimeout(timer);
        const chunks: Buffer[] = [];
        const sink = new PassThrough();
        sink.on('data', (chunk: Buffer) => chunks.push(chunk));
        sink.on('end', () => resolve({ body: Buffer.concat(chunks), failed }));
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

/** A complete HTML response, compressed once. */
export async function renderDocument(page: ReactElement, options: RenderOptions): Promise<Response> {
  const { request, headers } = options;
  const { body, failed } = await renderToBuffer(page, options.timeoutMs);
  headers.set('Content-Type', 'text/html; charset=utf-8');
  headers.append('Vary', 'Accept-Encoding');
  const packed =
    body.byteLength >= MIN_COMPRESSED_BYTES && acceptsGzip(request)
      ? await compress(body, { level: 4 })
      : null;
  if (packed) headers.set('Content-Encoding', 'gzip');
  const bytes = packed ?? body;
  headers.set('Content-Length', String(bytes.byteLength));
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), {
    status: failed ? 500 : options.status,
    headers,
  });
}
