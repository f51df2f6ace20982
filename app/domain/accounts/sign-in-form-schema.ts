import * as z from 'zod';
import { confirmPasswordSchema, registerSchema, signInSchema } from './account-schema.ts';
import { passkeySchema, passkeySignInSchema } from './passkey-schema.ts';
import { codeSchema } from './second-factor.ts';

/** The button that sends a form with a passkey in place of a password or a code. */
const byPasskey = z.literal('passkey');
const byHand = z.literal('typed').optional();

/** The page to open afterwards. */
const redirectTo = z.string().optional();

/** The forms of the two sign-ins. */
export const signInFormSchema = z.discriminatedUnion('intent', [
  signInSchema.extend({ intent: byHand, redirectTo }),
  passkeySignInSchema.extend({ intent: byPasskey, redirectTo }),
]);

/** The form of the second step. */
export const codeFormSchema = z.discriminatedUnion('intent', [
  codeSchema.extend({ intent: byHand }),
  passkeySchema.extend({ intent: byPasskey }),
]);

/** The form that asks for the password again. */
export const confirmFormSchema = z.discriminatedUnion('intent', [
  confirmPasswordSchema.extend({ intent: byHand }),
  passkeySchema.extend({ intent: byPasskey }),
]);

export const registerFormSchema = registerSchema.safeExtend({ redirectTo });
