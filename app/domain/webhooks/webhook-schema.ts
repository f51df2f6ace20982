import * as z from 'zod';
import { MAX_WEBHOOK_URL_LENGTH, MAX_WEBHOOKS, WEBHOOK_EVENTS } from './webhook.ts';

export const WEBHOOK_MESSAGES = {
  url: 'Enter an address that begins with https:// and is on the public internet',
  events: 'Choose at least one event',
  limit: `You have ${MAX_WEBHOOKS} webhooks, the most an account can have. Delete one you no longer need.`,
  none: 'There is no such webhook.',
  noDelivery: 'There is no such delivery.',
  underWay: 'This delivery is being sent at the moment. Try again in a minute.',
  off: 'This account cannot send anything to other servers.',
  lostSecret: 'its secret cannot be read any more; make a new one',
  created: 'Webhook added',
  saved: 'Webhook saved',
  deleted: 'Webhook deleted',
} as const;

/** An address is looked at by the operation, too: where its name leads is not in its text. */
const url = z
  .string({ error: WEBHOOK_MESSAGES.url })
  .trim()
  .max(MAX_WEBHOOK_URL_LENGTH, { error: WEBHOOK_MESSAGES.url })
  .refine((text) => URL.canParse(text), { error: WEBHOOK_MESSAGES.url });

const events = z
  .array(z.enum(WEBHOOK_EVENTS, { error: WEBHOOK_MESSAGES.events }), { error: WEBHOOK_MESSAGES.events })
  .min(1, { error: WEBHOOK_MESSAGES.events })
  .transform((chosen) => WEBHOOK_EVENTS.filter((event) => chosen.includes(event)));

/** Adding a webhook. */
export const webhookSchema = z.object({ url, events });

export type WebhookInput = z.input<typeof webhookSchema>;

/** Changing one; what is not sent stays. */
export const webhookChangesSchema = webhookSchema.partial();

export type WebhookChangesInput = z.input<typeof webhookChangesSchema>;
