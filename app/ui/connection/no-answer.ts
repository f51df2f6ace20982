import type { useFetcher } from '@remix-run/react';
import { NETWORK_TEXTS } from '#app/domain/messages.ts';
import { showToast } from '#app/ui/toasts.tsx';

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
const timedOut = () =>
  new NoAnswerError(
    'Server Timeout',
    'Server is taking too long to respond. It may be starting up. Please try again in a few moments.',
  );

/** The server was not reached at all. */
const notReached = (cause: unknown) =>
  new NoAnswerError(NETWORK_TEXTS.title, NETWORK_TEXTS.message, { cause });

/** What a caller does with a request that nobody answered: another answer, or it throws. */
type OnNoAnswer = (error: NoAnswerError, request: { url: URL; method: string }) => Promise<Response>;

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

/** Pages whose own action says what to do without an answer: their requests fail as they would without a guard. */
const SELF_HELPED = new Set(['/login.data', '/login/code.data']);

export const helpsItself = (pathname: string): boolean => SELF_HELPED.has(pathname);

/**
 * What a form is answered with when nobody answered: null, under a status after which its page asks for nothing else.
 * The format is that of Remix's single fetch (turbo-stream 2): `{ data: null }`.
 */
const NO_ACTION_DATA = '[{"_1":-5},"data"]\n';

export const noActionData = (): Response =>
  new Response(NO_ACTION_DATA, { status: 503, headers: { 'Content-Type': 'text/x-script' } });

type Fetcher = Pick<ReturnType<typeof useFetcher>, 'state' | 'formData' | 'data'>;

/**
 * The form that is shown as done before the server has answered. Nothing once it came back without an answer (its data is
 * null then): what was shown is taken back, even while the page still tries to read itself anew.
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

/** As much of the router as is needed here. */
export interface LostRouter {
  state: { location: Place; navigation: { state: string; location?: Place & { key: string } } };
  navigate(to: Place, options: { replace: boolean; preventScrollReset: boolean }): unknown;
}

/** Where a navigation goes that only ends another one: a place on every page. */
const NOWHERE = '#main';

/** What became of a navigation whose page does not come: to be loaded by the browser, ended, or left to hang unseen. */
type Ending = 'reload' | 'ended' | 'none' | { hidden: string };

/**
 * Ends the navigation that is under way. Going to a place on the page that is shown asks for nothing and ends what was
 * under way. It does ask when the router owes its pages a revalidation; then that has failed as well, and hangs, unseen,
 * until the next click. After "back" the address is already the other page's.
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

/** The key of the navigation that nobody waits for any more. */
export const hiddenNavigation = (): string | null => hiddenKey;

export function watchHidden(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How long an answer may take. */
const TIMEOUT_MS = 30_000;

/** The page asked for does not come: the one that is shown stays. */
function stayHere(): void {
  // Remix's own router: its hooks would tell about a navigation only after the next drawing of the page.
  const ending = endNavigation(window.__remixRouter, window.location);
  if (ending === 'reload') window.location.reload();
  if (typeof ending === 'object') hideNavigation(ending.hidden);
}

/**
 * Without an answer the reader stays where they are, with all that was typed, and is told. A form gets an empty answer,
 * so that what was shown ahead of it is taken back; another page is not gone to.
 */
const stay: OnNoAnswer = (error, { url, method }) => {
  if (helpsItself(url.pathname)) return Promise.reject(error);
  const isPage = url.pathname !== '/__manifest';
  // Asked for ahead of a click, unseen: the click asks again.
  if (!isPage && url.searchParams.getAll('p').length > 1) return Promise.reject(error);
  showToast({ type: 'error', title: error.title, message: error.message });
  if (method !== 'GET') return Promise.resolve(noActionData());
  stayHere();
  return new Promise(() => {});
};

/** Called once, before the first page asks for anything. */
export function guardConnection(): void {
  window.fetch = guardedFetch(window.fetch.bind(window), {
    origin: window.location.origin,
    timeoutMs: TIMEOUT_MS,
    onNoAnswer: stay,
  });
}
