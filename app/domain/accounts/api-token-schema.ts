import * as z from 'zod';
import { API_TOKEN_LIVES, API_TOKEN_SCOPES, MAX_API_TOKEN_NAME_LENGTH, MAX_API_TOKENS } from './api-token.ts';

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
    ),
  scope: z.enum(API_TOKEN_SCOPES, { error: API_TOKEN_MESSAGES.scope }),
  life: z.enum(API_TOKEN_LIVES, { error: API_TOKEN_MESSAGES.life }),
});

export type CreateApiTokenInput = z.input<typeof createApiTokenSchema>;
