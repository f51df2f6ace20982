import { plural } from '../text/plural.ts';

/** Records an account may have: calculations, vials, schedules, doses, orders, and everything that is tracked. */
const FREE_ROWS = 5000;
const PREMIUM_ROWS = 1_000_000;

/** How many records an account may have. */
export const rowQuota = (isPremium: boolean): number => (isPremium ? PREMIUM_ROWS : FREE_ROWS);

const limitText = (isPremium: boolean): string =>
  `${isPremium ? 'an account' : 'the free plan'} holds ${plural(rowQuota(isPremium), 'record')}`;

const wayOut = (isPremium: boolean): string =>
  isPremium
    ? 'Delete records you no longer need and try again.'
    : `Delete records you no longer need, or upgrade to Premium for ${plural(PREMIUM_ROWS, 'record')}.`;

/** Shown when there is no room for another record. */
export const accountFullMessage = (isPremium: boolean): string =>
  `Your account is full: ${limitText(isPremium)}. ${wayOut(isPremium)}`;

/** Shown when a file has more new records than there is room for. */
export const fileTooLongMessage = (isPremium: boolean, room: number): string =>
  `This file has too many new records: ${limitText(isPremium)}, and yours has room for ${room.toLocaleString('en')} more. ${wayOut(isPremium)}`;
