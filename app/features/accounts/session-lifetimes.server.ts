const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A session ends after a day without use; one with remember-me lasts its whole thirty days (decisions, section 14). */
const IDLE_MS = 24 * HOUR_MS;
/** No session outlives this, however much it is used. */
const ABSOLUTE_MS = 30 * DAY_MS;

/** How often a use is recorded at most. */
export const TOUCH_MS = 60_000;
/** How often the account's last-seen time moves at most. */
export const SEEN_MS = HOUR_MS;

/** When a session that began at `createdAt` ends at the latest. */
export function endOf(createdAt: Date): Date {
  return new Date(createdAt.getTime() + ABSOLUTE_MS);
}

/** When a session that is used now ends unless it is used again. */
export function expiryAfterUse(session: { endsAt: Date; remember: boolean }, now: Date): Date {
  if (session.remember) return session.endsAt;
  return new Date(Math.min(now.getTime() + IDLE_MS, session.endsAt.getTime()));
}
