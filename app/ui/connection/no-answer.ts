import type { useFetcher } from '@remix-run/react';
import { NETWORK_TEXTS, REQUEST_FAILED } from '#app/domain/messages.ts';
import { showToast } from '#app/ui/toasts.tsx';

/** No answer of the application arrived. `title` and `message` are meant for users. */
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

/** The response did not arrive in time. */
const timedOut = () =>
  new NoAnswerError(
    'Server Timeout',
    'Server is taking too long to respond. It may be starting up. Please try again in a few moments.',
  );

/** The server could not be reached. */
const notReached = (cause: unknown) =>
  new NoAnswerError(NETWORK_TEXTS.title, NETWORK_TEXTS.message, { cause });

/** Reasons in words, which a response has only up to HTTP/1.1. */
const REASONS: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** A longer text is not a message for people. */
const MESSAGE_LENGTH = 200;

/** Something else answered: a proxy while the server restarts, or the server before any page ran. */
async function failed(response: Response): Promise<NoAnswerError> {
  const { status, statusText, headers } = response;
  const isText = headers.get('Content-Type')?.startsWith('text/plain') === true;
  const text = isText ? (await response.text().catch(() => '')).trim() : '';
  const reason = statusText || (REASONS[status] ?? 'no reason given');
  const isMessage = text !== '' && text.length <= MESSAGE_LENGTH;
  return new NoAnswerError(REQUEST_FAILED, isMessage ? text : `HTTP ${status}: ${reason}`);
}

/** True if a response can only be the application's: it is in Remix's format, or has no body. */
const isOfApplication = ({ status, headers }: Response): boolean =>
  status === 204 || status === 205 || headers.get('Content-Type')?.startsWith('text/x-script') === true;

/** Handles a request without a response: returns a substitute, or rejects. */
type OnNoAnswer = (error: NoAnswerError, request: { url: URL; method: string }) => Promise<Response>;

/** True for the pages' own requests, for their data. */
function isOfPages(url: URL, origin: string): boolean {
  return url.origin === origin && url.pathname.endsWith('.data');
}

/** Uploads have no time limit: a large file may take long. */
const isUpload = (init: RequestInit | undefined) => init?.body instanceof FormData;

/** Aborts when `outer` does, or after a timeout. */
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
 * A `fetch` that aborts the pages' requests after `timeoutMs` and passes those without a response of the application to
 * `onNoAnswer`.
 * All other requests, and those aborted by their caller, behave as usual.
 */
export function guardedFetch(
  plain: typeof fetch,
  { origin, timeoutMs, onNoAnswer }: { origin: string; timeoutMs: number; onNoAnswer: OnNoAnswer },
): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, origin);
    if (!isOfPages(url, origin)) return plain(input, init);
    const limit = limited(init?.signal, isUpload(init) ? null : timeoutMs);
    const about = { url, method: (init?.method ?? 'GET').toUpperCase() };
    try {
      const response = await plain(input, { ...init, signal: limit.signal });
      return isOfApplication(response) ? response : await onNoAnswer(await failed(response), about);
    } catch (error) {
      if (error instanceof NoAnswerError || init?.signal?.aborted) throw error;
      return await onNoAnswer(limit.isLate() ? timedOut() : notReached(error), about);
    } finally {
      limit.end();
    }
  };
}

/** The page whose client action handles a missing response itself: its form fails as it would without this guard. */
export const helpsItself = ({ url, method }: { url: URL; method: string }): boolean =>
  method !== 'GET' && url.pathname === '/login.data';

/**
 * The substitute response to a form: null, with a status after which Remix does not revalidate the page.
 * In the format of Remix's single fetch (turbo-stream 2): `{ data: null }`.
 */
const NO_ACTION_DATA = '[{"_1":-5},"data"]\n';

export const noActionData = (): Response =>
  new Response(NO_ACTION_DATA, { status: 503, headers: { 'Content-Type': 'text/x-script' } });

type Fetcher = Pick<ReturnType<typeof useFetcher>, 'state' | 'formData' | 'data'>;

/**
 * The form to show optimistically before the server has answered. Undefined once it failed without a response (its data is
 * null then), which undoes the optimistic display even while the page is still revalidating.
 */
export function shownAhead({ state, formData, data }: Fetcher): FormData | undefined {
  if (state === 'idle' || (state === 'loading' && data === null)) return undefined;
  return formData;
}

interface Place {
  pathname: string;
  search: string;
  hash: string;
}

/** The parts of Remix's router used here. */
export interface LostRouter {
  state: { location: Place; navigation: { state: string; location?: Place & { key: string } } };
  navigate(to: Place, options: { replace: boolean; preventScrollReset: boolean }): unknown;
}

/** Target of a navigation that only cancels another: an anchor on every page. */
const NOWHERE = '#main';

/** How to end a navigation without a response: reload the page, done already, nothing to do, or hide it while it hangs. */
type Ending = 'reload' | 'ended' | 'none' | { hidden: string };

/**
 * Ends the current navigation by navigating to an anchor on the page shown, which usually makes no request. If the router
 * still has to revalidate, it does make one; when that has failed as well, it is left hanging, hidden, until the next
 * click. After "back" the address is already the other page's.
 */
export function endNavigation(router: LostRouter, address: Omit<Place, 'hash'>): Ending {
  const { location, navigation } = router.state;
  if (navigation.state === 'idle' || !navigation.location) return 'none';
  const { pathname, search } = location;
  if (address.pathname !== pathname || address.search !== search) return 'reload';
  const goal = navigation.location;
  if (goal.pathname === pathname && goal.search === search && goal.hash !== '') return { hidden: goal.key };
  void router.navigate(
    { pathname, search, hash: location.hash || NOWHERE },
    { replace: true, preventScrollReset: true },
  );
  return 'ended';
}

let hiddenKey: string | null = null;
const listeners = new Set<() => void>();

function hideNavigation(key: string): void {
  hiddenKey = key;
  for (const listener of listeners) listener();
}

/** The key of the navigation that is hidden from the loading bar. */
export const hiddenNavigation = (): string | null => hiddenKey;

export function watchHidden(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How long a response may take. */
const TIMEOUT_MS = 30_000;

/** The requested page does not load, so the current one stays. */
function stayHere(): void {
  // Remix's own router, because its hooks report a navigation only after the next render.
  const ending = endNavigation(window.__remixRouter, window.location);
  if (ending === 'reload') window.location.reload();
  if (typeof ending === 'object') hideNavigation(ending.hidden);
}

/**
 * Without a response the user stays on the page, keeps everything typed, and sees a message. A form gets an empty
 * response, so that its optimistic display is undone; a navigation is cancelled.
 */
const stay: OnNoAnswer = (error, request) => {
  if (helpsItself(request)) return Promise.reject(error);
  showToast({ type: 'error', title: error.title, message: error.message });
  if (request.method !== 'GET') return Promise.resolve(noActionData());
  stayHere();
  return new Promise(() => {});
};

/** Called once, before the first page makes a request. */
export function guardConnection(): void {
  window.fetch = guardedFetch(window.fetch.bind(window), {
    origin: window.location.origin,
    timeoutMs: TIMEOUT_MS,
    onNoAnswer: stay,
  });
}
