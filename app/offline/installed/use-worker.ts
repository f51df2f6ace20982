import { useEffect, useState } from 'react';
import { TAKE_ME, TAKE_OVER } from '#app/offline/paths.ts';

/** How often an open page asks for a new version when its reader comes back to it. */
const ASK_AGAIN_MS = 3_600_000;

/** Calls back whenever there is a version that waits to take over. */
function watchWaiting(registration: ServiceWorkerRegistration, found: (worker: ServiceWorker) => void): void {
  const look = () => {
    // Without a page under control this is the first version, and nothing is out of date.
    if (registration.waiting && navigator.serviceWorker.controller) found(registration.waiting);
  };
  look();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look);
  });
}

/** Asks for a new version each time the reader comes back, at most once an hour. @returns ends it */
function askOnReturn(registration: ServiceWorkerRegistration): () => void {
  let asked = Date.now();
  const ask = () => {
    if (document.visibilityState !== 'visible' || Date.now() - asked < ASK_AGAIN_MS) return;
    asked = Date.now();
    registration.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  return () => document.removeEventListener('visibilitychange', ask);
}

/** Lets the new version take over, and loads this page anew once it has. */
function takeOver(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), {
    once: true,
  });
  worker.postMessage(TAKE_OVER);
}

/**
 * Asks the active version to be in charge of this page. It takes the pages that are there when it becomes active, but not
 * one that was opened while it was removed and made anew, as a sign-out does when somebody signs in at once.
 */
async function askForCharge(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) active?.postMessage(TAKE_ME);
}

/** How long after a lost first version this browser tries again, and how often a page does. */
const TRY_AGAIN_MS = 5000;
const MOST_TRIES = 3;

/** Calls back when the first version is lost: one of its files did not come, or what this browser keeps was cleared. */
function whenLost(registration: ServiceWorkerRegistration, lost: () => void): void {
  const worker = registration.installing ?? registration.waiting;
  worker?.addEventListener('statechange', () => {
    if (worker.state === 'redundant' && !registration.active) lost();
  });
}

/**
 * Registers the service worker. A browser that has none, or refuses it, goes on without.
 * @returns takes the new version over when there is one
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
          end = askOnReturn(registration);
          if (triesLeft > 0)
            whenLost(registration, () => setTimeout(() => register(triesLeft - 1), TRY_AGAIN_MS));
          return askForCharge();
        })
        .catch(() => undefined);
    };
    register(MOST_TRIES);
    return () => end();
  }, []);
  return waiting && (() => takeOver(waiting));
}
