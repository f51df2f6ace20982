/** What the installed app says on top of a page. */
export const INSTALLED_WORDS = {
  offline: 'Working offline',
  online: 'Back online',
  update: 'New app version available. Refresh to update.',
  refresh: 'Refresh',
  title: 'Vialbook on this device',
  why: 'It opens like an app, and the calculator and today’s doses work without a connection.',
  byHand: 'Tap Share, then “Add to Home Screen”.',
  install: 'Install',
  notNow: 'Not now',
  notAvailable: 'App installation not available',
  failed: 'Failed to install app',
} as const;

/** @param count entries, at least 1 */
export const entriesSent = (count: number): string =>
  count === 1 ? '1 entry sent' : `${count} entries sent`;

/** @param count entries, at least 1 */
export const entriesRefused = (count: number): string =>
  count === 1
    ? '1 entry that you made offline could not be saved.'
    : `${count} entries that you made offline could not be saved.`;
