import type { AppLoadContext } from './load-context.ts';

/** The header that has a file saved under a name instead of shown; other than plain letters as RFC 6266 wants them. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const isPlain = plain === fileName;
  return `attachment; filename="${plain}"${isPlain ? '' : `; filename*=UTF-8''${encodeName(fileName)}`}`;
}

/** RFC 8187: what `encodeURIComponent` leaves alone but that rule does not. */
function encodeName(fileName: string): string {
  return encodeURIComponent(fileName).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The connection an answer goes to, as far as whoever streams one needs to know it. */
export interface Recipient {
  request: Request;
  context: AppLoadContext;
}

/** Ends a file whose reader took nothing of it for too long. */
export class ReaderTooSlow extends Error {
  override readonly name = 'ReaderTooSlow';

  constructor() {
    super('the reader of a file took too long');
  }
}

/** Whether that is what ended an answer. By name, because the server and the pages that it loads are bundles of their own. */
export const isReaderTooSlow = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ReaderTooSlow';

/**
 * A streamed body that is read only as fast as its client takes it, and no longer than there is one: what writes it to
 * the connection asks for everything at once and never looks whether it got there, so a slow client would have the whole
 * of a large file collected in memory, and one that is gone would have it read to the end for nobody.
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

/** The same for a whole answer; of one that is asked for without its body nothing is read. */
export function responseAtClientsPace(response: Response, recipient: Recipient): Response {
  const { body, status, headers } = response;
  if (body === null) return response;
  if (recipient.request.method !== 'HEAD')
    return new Response(atClientsPace(body, recipient), { status, headers });
  void body.cancel().catch(() => undefined);
  return new Response(null, { status, headers });
}
