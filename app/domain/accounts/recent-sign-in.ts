/** How long after the password was last entered an account's locks may be changed (ASVS 7.5). */
export const RECENT_SIGN_IN_MINUTES = 15;

/** Whether the password was entered lately enough. A clock that jumped back makes no sign-in recent for longer. */
export function isRecentSignIn(authenticatedAt: Date, now: Date): boolean {
  const age = now.getTime() - authenticatedAt.getTime();
  return Math.abs(age) < RECENT_SIGN_IN_MINUTES * 60_000;
}
