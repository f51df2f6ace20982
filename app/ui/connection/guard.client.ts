import { showToast } from '#app/ui/toast-store.ts';
import { endNavigation, helpsItself, hideNavigation, noActionData } from './failed-navigation.ts';
import { guardedFetch, type OnNoAnswer } from './unreachable.ts';

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
