/** What several parts of the app say in the same words when something breaks. */
export const ERROR_WORDS = {
  title: 'Something went wrong',
  refresh: 'Refresh Page',
  again: 'Try Again',
} as const;

/** The code of a page did not come. */
export const MODULE_FAILED = 'Component Loading Error';

/** The server was not reached. */
export const NETWORK_TEXTS = { title: 'Network Error', message: 'Failed to connect to server' } as const;

/** There is no connection, and the installed app goes on without one. */
export const OFFLINE_WORDS = 'Working offline';
