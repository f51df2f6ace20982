import { browserName } from '#app/domain/accounts/browser-name.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import type { SessionSummary } from './sessions.server.ts';

/** A session as texts for its owner, with times in their zone. */
export function sessionRow(session: SessionSummary, timeZone: string) {
  const { id, address, userAgent, isCurrent, lastUsedAt, createdAt } = session;
  return {
    id,
    browser: browserName(userAgent),
    address,
    isCurrent,
    lastUsed: shownInstant(lastUsedAt, timeZone),
    started: shownInstant(createdAt, timeZone),
  };
}
