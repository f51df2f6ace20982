/** The page shown in place of any other page without a connection. */
export const OFFLINE_PATH = '/offline';
/** Returns the secret that this browser's key is derived from. */
export const SECRET_PATH = '/offline/secret';
/** Returns the data to keep for offline use. */
export const SNAPSHOT_PATH = '/offline/snapshot';
/** Receives entries that were logged offline. */
export const OUTBOX_PATH = '/offline/outbox';
export const SIGN_OUT_PATH = '/logout';
/** Name of the background sync that sends waiting entries. */
export const SYNC_TAG = 'vialbook-outbox';
/** Message from a page to a waiting worker: the user wants the new version. */
export const TAKE_OVER = 'TAKE_OVER';
/** Message from a page to the active worker: take control of this page. */
export const TAKE_ME = 'TAKE_ME';
