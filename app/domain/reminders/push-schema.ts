import * as z from 'zod';

export const PUSH_MESSAGES = {
  endpoint: 'This server cannot reach this browser’s push service.',
  keys: 'This browser did not send its subscription keys.',
  subscribed: 'This browser will receive reminders',
  unsubscribed: 'The browser will no longer receive push notifications',
  none: 'Browser not found.',
  tested: 'The test is on its way. Reload this page to see when the browser showed it.',
  confirmed: 'This push has already been confirmed, has expired, or was never sent.',
} as const;

const base64url = (signs: number) =>
  z
    .string({ error: PUSH_MESSAGES.keys })
    .max(signs + 2, { error: PUSH_MESSAGES.keys, abort: true })
    .transform((text) =>
      text
        .replace(/={1,2}$/, '')
        .replaceAll('+', '-')
        .replaceAll('/', '_'),
    )
    .refine((text) => text.length === signs && /^[A-Za-z0-9_-]+$/.test(text), { error: PUSH_MESSAGES.keys });

/** A browser's `PushSubscription`: a point of P-256 (65 bytes) and 16 secret bytes (RFC 8291). */
export const pushSubscriptionSchema = z.object({
  endpoint: z
    .string({ error: PUSH_MESSAGES.endpoint })
    .max(2048, { error: PUSH_MESSAGES.endpoint, abort: true })
    .refine((text) => URL.canParse(text), { error: PUSH_MESSAGES.endpoint }),
  p256dh: base64url(87),
  auth: base64url(22),
});

const sent = z.string().default('');

/** The same as a page's script sends it. The operation checks it, once it knows that the caller may subscribe. */
export const pushFormSchema = z.object({ endpoint: sent, p256dh: sent, auth: sent });

/** The service worker's confirmation that it showed a push. */
export const pushShownSchema = z.object({ token: z.string().max(100) });

export type PushSubscriptionInput = z.input<typeof pushSubscriptionSchema>;
