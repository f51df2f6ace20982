import { OFFLINE_PATH, SIGN_OUT_PATH } from './paths.ts';
import { browserStore as store } from './browser-store.ts';
import { notifyTabs } from './broadcast.ts';

/** Ends the session at the server. @throws TypeError without a connection */
async function endSession(): Promise<void> {
  // The redirect to the sign-in page is not followed; it shows that the sign-out worked.
  const answer = await fetch(SIGN_OUT_PATH, { method: 'POST', redirect: 'manual' });
  if (answer.type !== 'opaqueredirect' && !answer.ok) throw new TypeError(`sign-out: ${answer.status}`);
  // The response makes the browser delete the whole store. That may interrupt this write, but then the flag is gone too.
  await store.setFlag('sign-out-pending', false).catch(() => undefined);
}

/**
 * Ends the session at the server after an offline sign-out. Runs before any page is requested, so that nobody sees a page
 * of the user who signed out.
 * @returns whether there was a sign-out to finish
 */
export async function finishSignOut(): Promise<boolean> {
  if (!(await store.hasFlag('sign-out-pending'))) return false;
  await endSession();
  return true;
}

/** Signs out: wipes this device first, then tells the server, now or when there is a connection. */
export async function signOutHere(): Promise<void> {
  await store.wipe();
  await store.setFlag('sign-out-pending', true);
  notifyTabs();
  const reached = await endSession().then(
    () => true,
    () => false,
  );
  window.location.assign(reached ? '/login' : `${OFFLINE_PATH}?signed-out=1`);
}

/** Signs out, but first asks the user if there are unsent entries. */
export async function signOut(): Promise<void> {
  const { readWaiting, sendWaiting } = await import('./offline-sync.ts');
  if ((await readWaiting()).length > 0) {
    if (navigator.onLine) await sendWaiting();
    if ((await readWaiting()).length > 0) return window.location.assign(`${OFFLINE_PATH}?sign-out=1`);
  }
  await signOutHere();
}
