import type { AppLoadContext } from './load-context.ts';

/** The header that saves a file under a name instead of showing it; special characters as in RFC 6266. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const isPlain = plain === fileName;
  return `attachment; filename="${plain}"${isPlain ? '' : `; filename*=UTF-8''${encodeName(fileName)}`}`;
}

/** RFC 8187 also encodes characters that `encodeURIComponent` doesn't. */
function encodeName(fileName: string): string {
  return encodeURIComponent(fileName).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The connection that receives a streamed response. */
export interface Recipient {
  request: Request;
  context: AppLoadContext;
}

/** Aborts a download whose client read nothing for too long. */
export class ReaderTooSlow extends Error {
  override readonly name = 'ReaderTooSlow';

  constructor() {
    super('the client read a file too slowly');
  }
}

/** Checked by name, because the server and the pages it loads are separate bundles. */
export const isReaderTooSlow = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ReaderTooSlow';

/**
 * A streamed body that is read only as fast as its client reads it, and only while it is connected. Remix's writer reads
 * everything at once without checking: for a slow client, a large file would collect in memory, and for a disconnected one it
 * would be read to the end for nothing.
 */
export function atClientsPace(
  body: ReadableStream<Uint8Array>,
  { request, context }: Recipient,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const leave = () => void reader.cancel().catch(() => undefined);
  if (request.signal.aborted) leave();
  request.signal.addEventListener('abort', leave, { once: true });
  const end = () => request.signal.removeEventListener('abort', leave);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await context.whenTaken();
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The same for a whole response; for a HEAD request nothing is read. */
export function responseAtClientsPace(response: Response, recipient: Recipient): Response {
  const { body, status, headers } = response;
  if (body === null) return response;
  if (recipient.request.method !== 'HEAD')
    return new Response(atClientsPace(body, recipient), { status, headers });
  void body.cancel().catch(() => undefined);
  return new Response(null, { status, headers });
}
