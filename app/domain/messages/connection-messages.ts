/** What is said when no answer comes. */
export const TIMEOUT_TEXTS = {
  title: 'Server Timeout',
  message: 'Server is taking too long to respond. It may be starting up. Please try again in a few moments.',
} as const;

export const NETWORK_TEXTS = { title: 'Network Error', message: 'Failed to connect to server' } as const;

/** What is said while a page's code is on its way, and when it does not come. */
export const MODULE_TEXTS = {
  loading: 'Loading component...',
  slow: 'If this takes too long, try refreshing the page',
  failed: 'Component Loading Error',
  explained:
    'A part of this page could not be loaded. Your connection may be slow, or a new version of the app may be there. Nothing you saved is affected.',
} as const;
