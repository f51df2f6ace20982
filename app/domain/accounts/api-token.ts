import { DAY_MS } from '#app/domain/time/calendar.ts';
import * as z from 'zod';

/** What a personal token may do: read, or read and write. No token opens the admin area. */
export const API_TOKEN_SCOPES = ['read', 'write'] as const;
export type ApiTokenScope = (typeof API_TOKEN_SCOPES)[number];

/** How long a token can last, in days; one with `never` does not expire. */
export const API_TOKEN_LIVES = ['30', '90', '365', 'never'] as const;
export type ApiTokenLife = (typeof API_TOKEN_LIVES)[number];

/** Tokens that an account may have at a time. */
export const MAX_API_TOKENS = 20;

const MAX_API_TOKEN_NAME_LENGTH = 60;

/** Starts every token, so that secret scanners recognise a leaked one and session secrets look different. */
export const API_TOKEN_PREFIX = 'vialbook_';

/** When a token created now expires; null when it does not. */
export function apiTokenEnd(life: ApiTokenLife, now: Date): Date | null {
  return life === 'never' ? null : new Date(now.getTime() + Number(life) * DAY_MS);
}

export function isExpired({ expiresAt }: { expiresAt: Date | null }, now: Date): boolean {
  return expiresAt !== null && expiresAt.getTime() <= now.getTime();
}

export const API_TOKEN_MESSAGES = {
  name: 'Give the token a name that you will recognise',
  nameLong: `A name can have at most ${MAX_API_TOKEN_NAME_LENGTH} characters`,
  scope: 'Choose what the token may do',
  life: 'Choose how long the token lasts',
  limit: `You have ${MAX_API_TOKENS} tokens, the most an account can have. Revoke one you no longer need.`,
  none: 'There is no such token.',
} as const;

/** Creating a personal token. */
export const createApiTokenSchema = z.object({
  name: z
    .string({ error: API_TOKEN_MESSAGES.name })
    .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .pipe(
      z
        .string()
        .min(1, { error: API_TOKEN_MESSAGES.name })
        .max(MAX_API_TOKEN_NAME_LENGTH, { error: API_TOKEN_MESSAGES.nameLong }),
    )
    .meta({ minLength: 1, maxLength: MAX_API_TOKEN_NAME_LENGTH }),
  scope: z.enum(API_TOKEN_SCOPES, { error: API_TOKEN_MESSAGES.scope }),
  life: z.enum(API_TOKEN_LIVES, { error: API_TOKEN_MESSAGES.life }),
});

export type CreateApiTokenInput = z.input<typeof createApiTokenSchema>;
