import { useLocation, useRevalidator, useRouteLoaderData } from '@remix-run/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { hasOwner, openStore, readWaiting, refreshSeen, sendWaiting } from '#app/offline/offline-sync.ts';
import { OFFLINE_PATH } from '#app/offline/paths.ts';
import { finishSignOut } from '#app/offline/sign-out.ts';
import type { Account } from '#app/offline/device-store.ts';
import { watchStore } from '#app/offline/broadcast.ts';
import type { Toast } from '#app/ui/toasts.tsx';

/** How often an open page retries when the server was not reached despite a connection. */
const AGAIN_MS = 60_000;

/** How long a snapshot counts as fresh while the user navigates. */
const FRESH_MS = 15_000;

/** The signed-in user; undefined on pages outside the dashboard. */
function useAccount(): Account | undefined {
  const data = useRouteLoaderData('routes/dashboard') as { account?: Account } | undefined;
  return data?.account;
}

/** Errors are expected here: the browser may allow no storage, or there may be no connection. */
const ignore = () => undefined;

/** The number of refused entries that the user has to decide about. */
function useRefused(): number {
  const [refused, setRefused] = useState(0);
  useEffect(() => {
    const look = () => {
      readWaiting().then(
        (waiting) => setRefused(waiting.filter(({ entry }) => entry.problem !== null).length),
        ignore,
      );
    };
    look();
    return watchStore(look);
  }, []);
  return refused;
}

/** Finishes a pending sign-out, opens the user's store and sends waiting entries. @returns how many were saved */
async function syncNow(account: Account | undefined): Promise<number> {
  if (await finishSignOut()) {
    // The current page may still show the data of the user who signed out.
    if (window.location.pathname === OFFLINE_PATH) window.location.assign('/login');
    else window.location.reload();
    return 0;
  }
  if (account !== undefined) await openStore(account);
  return (await hasOwner()) ? sendAll() : 0;
}

const unsentIds = async () =>
  (await readWaiting()).filter(({ entry }) => entry.problem === null).map(({ entry }) => entry.id);

/** @returns how many were saved, by this page or meanwhile by another tab or the worker */
async function sendAll(): Promise<number> {
  const before = await unsentIds();
  if (before.length === 0) return 0;
  const { written, stopped } = await sendWaiting();
  // Someone else is signed in: what was deleted here was not sent.
  if (stopped === 'other-user') return written;
  const left = new Set((await readWaiting()).map(({ entry }) => entry.id));
  return before.filter((id) => !left.has(id)).length;
}

/**
 * Sends waiting entries and refreshes the data for offline use, on each page load and when the connection is back.
 * @returns how many refused entries the user has to decide about
 */
export function useOfflineSync(online: boolean, say: (type: Toast['type'], message: string) => void): number {
  const account = useAccount();
  const { key } = useLocation();
  const { revalidate } = useRevalidator();
  const refreshed = useRef(0);
  const firstKey = useRef(key);
  const { userId, sessionId } = account ?? {};

  const refresh = useCallback(async (isStale: boolean) => {
    if (!isStale && Date.now() - refreshed.current < FRESH_MS) return;
    refreshed.current = Date.now();
    await refreshSeen();
  }, []);

  useEffect(() => {
    if (!online) return;
    const known = userId && sessionId ? { userId, sessionId } : undefined;
    const tell = (written: number) => {
      if (written === 0) return;
      say('success', written === 1 ? '1 entry sent' : `${written} entries sent`);
      revalidate();
    };
    const keep = () => syncNow(known).then(tell);
    keep()
      .then(() => refresh(true))
      .catch(ignore);
    const timer = setInterval(() => {
      unsentIds()
        .then(({ length }) => (length > 0 ? keep().then(() => refresh(true)) : undefined))
        .catch(ignore);
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [online, userId, sessionId, say, revalidate, refresh]);

  useEffect(() => {
    // The effect above has already refreshed the first page.
    if (online && userId && key !== firstKey.current) refresh(false).catch(ignore);
  }, [online, userId, key, refresh]);

  return useRefused();
}
