/** Error texts that several parts of the app share. */
export const ERROR_WORDS = {
  title: 'Something went wrong',
  refresh: 'Refresh Page',
  again: 'Try Again',
} as const;

/** Shown when the code of a page fails to load. */
export const MODULE_FAILED = 'Component Loading Error';
export const MODULE_TEXTS = {
  what: 'Part of this page could not be loaded.',
  why: 'Your connection may be slow, or there may be a new version of the app. Nothing you saved is affected.',
  back: 'Back to Dashboard',
} as const;

/** Shown when the server cannot be reached. */
export const NETWORK_TEXTS = { title: 'Network Error', message: 'Failed to connect to server' } as const;

/** Shown when something other than the application answers, such as a proxy. */
export const REQUEST_FAILED = 'Request failed';

/** Shown while the installed app works without a connection. */
export const OFFLINE_WORDS = 'Working offline';

/** What the policy tells users who are not allowed to do something. */
export const ACCESS_MESSAGES = {
  /** The specification's words. */
  adminsOnly: 'Access denied. Admin privileges required.',
  notInDemo: 'The demo sends nothing to anyone. You can do this with an account.',
} as const;
