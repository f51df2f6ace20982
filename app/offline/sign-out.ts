import { OFFLINE_PATH, SIGN_OUT_PATH } from './paths.ts';
import { browserStore as store } from './browser-store.ts';
import { tellOthers } from './broadcast.ts';

/** Ends the session at the server. @throws TypeError without a connection */
async function endSession(): Promise<void> {
  // Followed nowhere: that it leads to the sign-in page says that it is done.
  const answer = await fetch(SIGN_OUT_PATH, { method: 'POST', redirect: 'manual' });
  if (answer.type !== 'opaqueredirect' && !answer.ok) throw new TypeError(`sign-out: ${answer.status}`);
  // The answer has the browser delete the whole store, which may happen under this very write: then the flag is gone as well.
  await store.setFlag('sign-out-pending', false).catch(() => undefined);
}

/**
 * Does at the server what was done here without a connection. Runs before any page is asked for, so that nobody sees one
 * of a person who signed out.
 * @returns whether there was something to do
 */
export async function finishSignOut(): Promise<boolean> {
  if (!(await store.hasFlag('sign-out-pending'))) return false;
  await endSession();
  return true;
}

/** Signs out: everything kept here is gone first, the server hears of it now or as soon as it can. */
export async function signOutHere(): Promise<void> {
  await store.wipe();
  await store.setFlag('sign-out-pending', true);
  tellOthers();
  const reached = await endSession().then(
    () => true,
    () => false,
  );
  window.location.assign(reached ? '/login' : `${OFFLINE_PATH}?signed-out=1`);
}

/** The same, unless something waits that was not sent: its owner is asked first. */
export async function signOut(): Promise<void> {
  const { readWaiting, sendWaiting } = await import('./offline-sync.ts');
  if ((await readWaiting()).length > 0) {
    if (navigator.onLine) await sendWaiting();
    if ((await readWaiting()).length > 0) return window.location.assign(`${OFFLINE_PATH}?sign-out=1`);
  }
  await signOutHere();
}
