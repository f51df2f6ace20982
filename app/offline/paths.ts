/** The page that stands in for every other one without a connection. */
export const OFFLINE_PATH = '/offline';
/** Gives the secret that this browser's key is made from. */
export const SECRET_PATH = '/offline/secret';
/** What is worth having at hand without a connection. */
export const SNAPSHOT_PATH = '/offline/snapshot';
/** Takes what was written without a connection. */
export const OUTBOX_PATH = '/offline/outbox';
export const SIGN_OUT_PATH = '/logout';
/** Name of the background sync that sends what waits. */
export const SYNC_TAG = 'vialbook-outbox';
/** What a page says to a waiting worker when its reader wants the new version. */
export const TAKE_OVER = 'TAKE_OVER';
/** What a page says to the active worker that is not in charge of it. */
export const TAKE_ME = 'TAKE_ME';
