import * as z from 'zod';

export const PASSKEY_MESSAGES = {
  refused: 'This passkey was not accepted. Try again, or use your password.',
  limit: 'You have 10 passkeys. Remove one first.',
  taken: 'This passkey is already in use.',
  none: 'There is no such passkey.',
  name: 'Enter a name',
  nameLong: 'Name can have at most 60 characters',
} as const;

/** Passkeys per account. */
export const MAX_PASSKEYS = 10;

/** The form field with the browser's answer, as JSON. */
export const passkeyField = z.string().max(20_000, { error: PASSKEY_MESSAGES.refused });

/** Signing in with a passkey alone. */
export const passkeySignInSchema = z.object({
  passkey: passkeyField,
  remember: z.boolean().optional().default(false),
});

export type PasskeySignInInput = z.input<typeof passkeySignInSchema>;

/** A passkey in place of a password or a code. */
export const passkeySchema = z.object({ passkey: passkeyField });

/** What a passkey's options are for. */
export const passkeyUseSchema = z.object({
  use: z.enum(['sign-in', 'second-step', 'confirm', 'add'], { error: 'Unknown use of a passkey.' }),
});

export const addPasskeySchema = z.object({
  name: z
    .string({ error: PASSKEY_MESSAGES.name })
    .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .pipe(z.string().min(1, { error: PASSKEY_MESSAGES.name }).max(60, { error: PASSKEY_MESSAGES.nameLong })),
  passkey: passkeyField,
});

export type AddPasskeyInput = z.input<typeof addPasskeySchema>;

const base64url = z
  .string()
  .max(8192, { abort: true })
  .regex(/^[A-Za-z0-9_-]*$/);
const credential = { id: base64url.min(1).max(1400), rawId: base64url, type: z.literal('public-key') };
const extensions = z.object({}).default({});

/** The browser's answer after using a passkey. Its signature is checked elsewhere. */
export const assertionShape = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
  clientExtensionResults: extensions,
});

export type Assertion = z.output<typeof assertionShape>;

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** The browser's answer after creating a passkey. */
export const attestationShape = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: z
      .string()
      .max(16_384, { abort: true })
      .regex(/^[A-Za-z0-9_-]*$/),
    transports: z.array(z.enum(TRANSPORTS)).max(7).optional().catch(undefined),
  }),
  clientExtensionResults: extensions,
});

/** Reads a browser's answer. @returns null for anything else */
export function readPasskeyAnswer<S extends z.ZodType>(shape: S, text: string): z.output<S> | null {
  try {
    const read = shape.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** The transports that we know, without any others. */
export function knownTransports(texts: readonly string[]): (typeof TRANSPORTS)[number][] {
  return TRANSPORTS.filter((transport) => texts.includes(transport));
}
