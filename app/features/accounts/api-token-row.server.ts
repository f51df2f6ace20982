import { shownInstant } from '#app/domain/time/format-instant.ts';
import type { ApiTokenView } from './api-tokens.server.ts';

/** A personal token as texts for its owner, with times in their zone. */
export function apiTokenRow(token: ApiTokenView, timeZone: string) {
  const { id, name, scope, isOver, createdAt, expiresAt, lastUsedAt } = token;
  return {
    id,
    name,
    may: scope === 'write' ? 'Read and write' : 'Read',
    isOver,
    made: shownInstant(createdAt, timeZone),
    ends: expiresAt && shownInstant(expiresAt, timeZone),
    lastUsed: lastUsedAt && shownInstant(lastUsedAt, timeZone),
  };
}
