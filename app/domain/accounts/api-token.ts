import { DAY_MS } from '#app/domain/time/durations.ts';

/** What a personal token may do: read, or read and write. None opens what belongs to administrators. */
export const API_TOKEN_SCOPES = ['read', 'write'] as const;
export type ApiTokenScope = (typeof API_TOKEN_SCOPES)[number];

/** How long a token can be made to last, in days; `never` has no end. */
export const API_TOKEN_LIVES = ['30', '90', '365', 'never'] as const;
export type ApiTokenLife = (typeof API_TOKEN_LIVES)[number];

/** Tokens that an account can have at a time. */
export const MAX_API_TOKENS = 20;

export const MAX_API_TOKEN_NAME_LENGTH = 60;

/** Begins every token, so that scanners of source code know a lost one, and a session's secret is never taken for one. */
export const API_TOKEN_PREFIX = 'vialbook_';

/** When a token made now ends; null when it does not. */
export function apiTokenEnd(life: ApiTokenLife, now: Date): Date | null {
  return life === 'never' ? null : new Date(now.getTime() + Number(life) * DAY_MS);
}

/** Whether a token's time is over. */
export function isOver({ expiresAt }: { expiresAt: Date | null }, now: Date): boolean {
  return expiresAt !== null && expiresAt.getTime() <= now.getTime();
}
