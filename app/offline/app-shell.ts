import { missingPage } from '#app/ui/connection/missing-page.ts';
import { OFFLINE_PATH, TAKE_ME, TAKE_OVER } from './paths.ts';
import type { ShellScope } from './worker-scope.ts';

/** A file that the offline page needs. If `revision` is null, its name contains a hash. */
export interface ShellFile {
  url: string;
  revision: string | null;
}

export interface Shell {
  files: readonly ShellFile[];
  /** Differs for every changed build. */
  version: string;
}

/** Where the scripts of the pages are. */
const SCRIPTS = '/assets/';

const PREFIX = 'vialbook-shell-';
const nameOf = ({ version }: Shell) => `${PREFIX}${version}`;

/**
 * Sent without cookies, so that the cached page is the one for visitors. Only files with a hash in their name may come from
 * the browser's own cache.
 */
const requestOf = ({ url, revision }: ShellFile, origin: string) =>
  new Request(new URL(url, origin), {
    credentials: 'omit',
    cache: revision === null ? 'default' : 'reload',
  });

async function cacheShell({ caches, location }: ShellScope, shell: Shell): Promise<void> {
  const cache = await caches.open(nameOf(shell));
  await cache.addAll(shell.files.map((file) => requestOf(file, location.origin)));
}

async function deleteOlderCaches({ caches }: ShellScope, shell: Shell): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(PREFIX) && name !== nameOf(shell));
  await Promise.all(older.map((name) => caches.delete(name)));
}

async function findCached({ caches }: ShellScope, shell: Shell, path: string): Promise<Response | undefined> {
  const cache = await caches.open(nameOf(shell));
  return cache.match(path, { ignoreSearch: true, ignoreVary: true });
}

/** Sections of the offline page that replace other pages. */
const SECTIONS: readonly [start: string, place: string][] = [
  ['/dashboard/schedule', '#today'],
  ['/dashboard/reminders', '#today'],
  ['/dashboard/vials', '#vials'],
  ['/dashboard/tracking', '#log'],
];

/** Redirects from a page that cannot be loaded to the offline page, which names it. */
function redirectToOfflinePage(url: URL): Response {
  const from = encodeURIComponent(url.pathname + url.search);
  const [, place = ''] = SECTIONS.find(([start]) => url.pathname.startsWith(start)) ?? [];
  return Response.redirect(`${url.origin}${OFFLINE_PATH}?from=${from}${place}`, 302);
}

/** The page from the server or, without a connection, the offline page. No other page is ever cached. */
async function answerNavigation(scope: ShellScope, shell: Shell, request: Request): Promise<Response> {
  const url = new URL(request.url);
  try {
    return await scope.fetch(request);
  } catch (error) {
    const page = await findCached(scope, shell, OFFLINE_PATH);
    if (page === undefined) throw error;
    return url.pathname === OFFLINE_PATH ? page : redirectToOfflinePage(url);
  }
}

async function answerFile(scope: ShellScope, shell: Shell, request: Request): Promise<Response> {
  return (await findCached(scope, shell, new URL(request.url).pathname)) ?? scope.fetch(request);
}

/** How many times a script is requested again, and how long after the last attempt. */
const RETRIES = 3;
const PAUSE_MS = 1000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * A script of a page, requested up to four times. If none of them arrives, a script that shows what happened replaces it:
 * without one Remix would reload the page that is open, and everything typed there would be lost.
 */
async function answerScript(scope: ShellScope, request: Request): Promise<Response> {
  for (let attempt = 0; attempt <= RETRIES; attempt += 1) {
    if (attempt > 0) await pause(PAUSE_MS);
    const answer = await scope.fetch(request.clone()).catch(() => null);
    if (answer?.ok) return answer;
  }
  return missingPage(Date.now());
}

/**
 * Caches the offline page and its scripts for this version, and serves it when there is no connection. A new version waits
 * until it is told to take over, so that no open page loses its scripts.
 * @param beforePage runs before each page is requested; its errors are ignored
 */
export function serveShell(scope: ShellScope, shell: Shell, beforePage: () => Promise<unknown>): void {
  const paths = new Set(shell.files.map(({ url }) => url).filter((url) => url !== OFFLINE_PATH));
  scope.addEventListener('install', (event) => event.waitUntil(cacheShell(scope, shell)));
  scope.addEventListener('activate', (event) =>
    event.waitUntil(deleteOlderCaches(scope, shell).then(() => scope.clients.claim())),
  );
  scope.addEventListener('message', ({ data }) => {
    if (data === TAKE_OVER) void scope.skipWaiting();
    // Fails if this worker is not active yet; it takes control of all pages when it becomes active.
    if (data === TAKE_ME) scope.clients.claim().catch(() => undefined);
  });
  scope.addEventListener('fetch', (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.origin !== scope.location.origin) return;
    if (request.mode === 'navigate') {
      const ready = beforePage().catch(() => undefined);
      event.respondWith(ready.then(() => answerNavigation(scope, shell, request)));
    } else if (paths.has(url.pathname)) event.respondWith(answerFile(scope, shell, request));
    else if (request.destination === 'script' && url.pathname.startsWith(SCRIPTS))
      event.respondWith(answerScript(scope, request));
  });
}
