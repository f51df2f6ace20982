import { AppError } from '#app/domain/errors.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';

/** How many days a link to a report can work. */
export const SHARE_DAYS = ['1', '7', '30'] as const;
export type ShareDays = (typeof SHARE_DAYS)[number];

/** Links that an account keeps at most, those that are over included. */
export const MAX_SHARES = 20;

/** Looks at a shared report that are kept one by one; all are counted. */
export const MAX_LISTED_VIEWS = 50;

/** What decides whether a link works. */
export interface ShareTerm {
  expiresAt: Date;
  revokedAt: Date | null;
}

export type ShareState = 'open' | 'revoked' | 'expired';

/** Whether a link works now; it has stopped at the instant it expires. */
export function shareState({ expiresAt, revokedAt }: ShareTerm, now: Date): ShareState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt.getTime() <= now.getTime() ? 'expired' : 'open';
}

/** When a link made now stops: that many times 24 hours later. */
export function shareEnd(days: ShareDays, now: Date): Date {
  return new Date(now.getTime() + Number(days) * DAY_MS);
}

/** Expired, revoked, mistyped and made up are the same to whoever holds the link. */
export function noShare(): AppError {
  return new AppError('NOT_FOUND', 'This report link does not work.');
}
