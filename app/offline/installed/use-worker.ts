import { useEffect, useState } from 'react';
import { TAKE_ME, TAKE_OVER } from '#app/offline/paths.ts';

/** How often an open page checks for a new version when the user returns to it. */
const ASK_AGAIN_MS = 3_600_000;

/** Calls back whenever a new version is waiting to take over. */
function watchWaiting(registration: ServiceWorkerRegistration, found: (worker: ServiceWorker) => void): void {
  const look = () => {
    // If no worker controls the page, this is the first version, not an update.
    if (registration.waiting && navigator.serviceWorker.controller) found(registration.waiting);
  };
  look();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
}

/** Checks for a new version when the user returns to the page, at most once an hour. @returns stops checking */
function checkOnReturn(registration: ServiceWorkerRegistration): () => void {
  let lastCheck = Date.now();
  const ask = () => {
    if (document.visibilityState !== 'visible' || Date.now() - lastCheck < ASK_AGAIN_MS) return;
    lastCheck = Date.now();
    registration.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  return () => document.removeEventListener('visibilitychange', ask);
}

/** Lets the new version take over, then reloads the page. */
function takeOver(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), {
    once: true,
  });
  worker.postMessage(TAKE_OVER);
}

/**
 * Asks the active version to control this page. On activation it takes control of all open pages, but not of one opened
 * while it was being replaced, as happens when someone signs in right after a sign-out.
 */
async function requestControl(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) active?.postMessage(TAKE_ME);
}

/** How long to wait before registering again after a lost first version, and how many times a page tries. */
const TRY_AGAIN_MS = 5000;
const MOST_TRIES = 3;

/** Calls back when the first version is lost: a file failed to load, or the browser's storage was cleared. */
function whenLost(registration: ServiceWorkerRegistration, lost: () => void): void {
  const worker = registration.installing ?? registration.waiting;
  worker?.addEventListener('statechange', () => {
    if (worker.state === 'redundant' && !registration.active) lost();
  });
}

/**
 * Registers the service worker, if the browser supports and allows it.
 * @returns switches to the new version; null if there is none
 */
export function useWorker(): (() => void) | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    let end = () => {};
    const register = (triesLeft: number) => {
      navigator.serviceWorker
        .register('/sw.js', { updateViaCache: 'none' })
        .then((registration) => {
          watchWaiting(registration, setWaiting);
          end();
          end = checkOnReturn(registration);
          if (triesLeft > 0)
            whenLost(registration, () => setTimeout(() => register(triesLeft - 1), TRY_AGAIN_MS));
          return requestControl();
        })
        .catch(() => undefined);
    };
    register(MOST_TRIES);
    return () => end();
  }, []);
  return waiting && (() => takeOver(waiting));
}
