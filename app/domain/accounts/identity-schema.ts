import * as z from 'zod';
import { newAccountShape } from './account-schema.ts';
import { optionalCode } from './second-factor.ts';

/** How many identities at providers an account can be linked with. */
export const MAX_IDENTITIES = 10;

/** Messages about signing in with a provider. */
export const IDENTITY_MESSAGES = {
  none: 'There is no such link in your account',
  again: 'This took too long or was done already. Please start again.',
  notYours: 'This is linked with another account',
  notLinked: 'Your account is not linked with this. Sign in there as the person it is linked with.',
  limit: `An account can be linked with at most ${MAX_IDENTITIES}. Remove one first.`,
  last: 'This is the only way to sign in to your account. Add another one first, such as a passkey.',
  noSignOut: 'You can sign out of it only on its own pages.',
} as const;

/** Why somebody who is new here cannot get an account with a provider. */
export const NEW_IDENTITY_MESSAGES = {
  unverified: (name: string, hasPasswords: boolean) =>
    `${name} has not confirmed an email address of yours, which an account here needs. Confirm it there${hasPasswords ? ', or create an account with a password' : ''}.`,
  taken: (name: string) =>
    `There is an account with your email address already. Sign in to it another way, then link ${name} in your profile, under Security.`,
} as const;

const text = (longest: number) => z.string().max(longest).optional().catch(undefined);
const { plan, ref, invite } = newAccountShape;

/** What a new account is created with, after a provider has said who somebody is. */
export const registerWithProviderSchema = z.object(newAccountShape);

export type RegisterWithProviderInput = z.input<typeof registerWithProviderSchema>;

/** The buttons about one provider. */
export const providerFormSchema = z.discriminatedUnion('use', [
  z.object({ use: z.literal('sign-in'), redirectTo: text(1000), plan, ref, invite }),
  z.object({ use: z.literal('link') }),
  z.object({ use: z.literal('confirm'), redirectTo: text(1000), code: optionalCode }),
  z.object({ use: z.literal('sign-out') }),
  registerWithProviderSchema.extend({ use: z.literal('register'), redirectTo: text(1000) }),
]);
