import { MINUTE_MS } from '#app/domain/time/durations.ts';

/** For how long after entering the password an account's security settings may be changed (ASVS 7.5). */
export const RECENT_SIGN_IN_MINUTES = 15;

/** Whether the password was entered recently. A clock that is set back does not extend the time. */
export function isRecentSignIn(authenticatedAt: Date, now: Date): boolean {
  const age = now.getTime() - authenticatedAt.getTime();
  return Math.abs(age) < RECENT_SIGN_IN_MINUTES * MINUTE_MS;
}
