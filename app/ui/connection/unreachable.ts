import { NETWORK_TEXTS } from '#app/domain/messages.ts';

/** No answer of the server: `title` and `message` are fit to be read. */
export class NoAnswerError extends TypeError {
  override name = 'NoAnswerError';
  constructor(
    readonly title: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The answer did not come in time. */
export const timedOut = () =>
  new NoAnswerError(
    'Server Timeout',
    'Server is taking too long to respond. It may be starting up. Please try again in a few moments.',
  );

/** The server was not reached at all. */
export const notReached = (cause: unknown) =>
  new NoAnswerError(NETWORK_TEXTS.title, NETWORK_TEXTS.message, { cause });

/** What a caller does with a request that nobody answered: another answer, or it throws. */
export type OnNoAnswer = (error: NoAnswerError, request: { url: URL; method: string }) => Promise<Response>;

/** True for what the pages ask for: their data and the addresses of further pages. */
function isOfPages(url: URL, origin: string): boolean {
  return url.origin === origin && (url.pathname.endsWith('.data') || url.pathname === '/__manifest');
}

/** A file takes as long as the line needs for it. */
const isUpload = (init: RequestInit | undefined) => init?.body instanceof FormData;

/** Aborts with `outer`, or by itself after a time. */
function limited(outer: AbortSignal | null | undefined, timeoutMs: number | null) {
  const own = new AbortController();
  const passOn = () => own.abort(outer?.reason);
  if (outer?.aborted) passOn();
  outer?.addEventListener('abort', passOn);
  let isLate = false;
  const late = () => {
    isLate = true;
    own.abort();
  };
  const timer = timeoutMs === null ? undefined : setTimeout(late, timeoutMs);
  const end = () => {
    clearTimeout(timer);
    outer?.removeEventListener('abort', passOn);
  };
  return { signal: own.signal, isLate: () => isLate, end };
}

/**
 * A `fetch` that gives up on requests of the pages after `timeoutMs` and hands those without an answer to `onNoAnswer`.
 * A request that its own caller gave up, and every other one, goes as it went before.
 */
export function guardedFetch(
  plain: typeof fetch,
  { origin, timeoutMs, onNoAnswer }: { origin: string; timeoutMs: number; onNoAnswer: OnNoAnswer },
): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, origin);
    if (!isOfPages(url, origin)) return plain(input, init);
    const limit = limited(init?.signal, isUpload(init) ? null : timeoutMs);
    try {
      return await plain(input, { ...init, signal: limit.signal });
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      const method = (init?.method ?? 'GET').toUpperCase();
      return await onNoAnswer(limit.isLate() ? timedOut() : notReached(error), { url, method });
    } finally {
      limit.end();
    }
  };
}
