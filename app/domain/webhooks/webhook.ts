import { DAY_MS, HOUR_MS } from '#app/domain/time/calendar.ts';
import { blendOfDose, partAmount, partsOfDose, type BlendedDose } from '#app/domain/vials/contents.ts';
import { measureOf, type Vial } from '#app/domain/vials/vial.ts';
import type { SideEffect } from '#app/domain/tracking/side-effect-schema.ts';
import * as z from 'zod';

/** Events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = [
  'dose.due',
  'dose.taken',
  'dose.skipped',
  'dose.missed',
  'stock.low',
  'vial.expiring',
  'vial.created',
  'vial.updated',
  'vial.finished',
  'vial.deleted',
  'side-effect.created',
  'side-effect.updated',
  'side-effect.deleted',
  'proposal.created',
  'proposal.accepted',
  'proposal.declined',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Everything that is sent to webhooks: events, and tests that the owner requests. */
export const WEBHOOK_TYPES = [...WEBHOOK_EVENTS, 'test'] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

export const WEBHOOK_EVENT_LABELS: Record<WebhookType, string> = {
  'dose.due': 'A dose is due',
  'dose.taken': 'A dose was taken',
  'dose.skipped': 'A dose was skipped',
  'dose.missed': 'A dose was missed',
  'stock.low': 'Stock is running low',
  'vial.expiring': 'A vial is close to its beyond-use date',
  'vial.created': 'A vial was added',
  'vial.updated': 'A vial was changed, also by a dose',
  'vial.finished': 'A vial was used up or discarded',
  'vial.deleted': 'A vial was deleted',
  'side-effect.created': 'A side effect was logged',
  'side-effect.updated': 'A side effect was changed',
  'side-effect.deleted': 'A side effect was deleted',
  'proposal.created': 'An assistant proposed a change',
  'proposal.accepted': 'A proposal was accepted',
  'proposal.declined': 'A proposal was declined',
  test: 'Test event',
};

/** The most webhooks an account can have. */
export const MAX_WEBHOOKS = 5;

/** How many deliveries of a webhook are listed. */
export const LISTED_DELIVERIES = 50;

const MAX_WEBHOOK_URL_LENGTH = 2048;

/** Starts every secret, so that secret scanners recognise a leaked one. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** How long messages are signed with the old secret, too, after a webhook was given a new one, in ms. */
export const OLD_SECRET_LIFE_MS = DAY_MS;

/** How long a delivery is retried, in ms. */
export const WEBHOOK_LIFE_MS = DAY_MS;

/**
 * How long a delivery is kept, in ms. A lasting state, such as low stock, is reported once in that time, like its reminder.
 */
export function deliveryKeptMs(type: WebhookType): number {
  return (type === 'stock.low' || type === 'vial.expiring' ? 90 : 30) * DAY_MS;
}

/** The pauses between attempts: half a minute, then twice as long each time, at most four hours. */
export const WEBHOOK_PAUSES = { firstMs: 30_000, factor: 2, longestMs: 4 * HOUR_MS } as const;

/** The host of an address, for lists and messages: the rest may contain a secret. */
export const webhookHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

interface DoseInMessage extends BlendedDose {
  id: string;
  scheduleId: string | null;
  dueDate: Date;
}

/** A dose as event data, with amounts in `doseUnit` as in the API; for a blend, with each component. */
export function doseData(dose: DoseInMessage) {
  const { id, scheduleId, name, doseAmount, doseUnit, dueDate } = dose;
  return {
    doseId: id,
    scheduleId,
    dueDate: dueDate.toISOString(),
    name,
    doseAmount: Number(doseAmount),
    doseUnit,
    ...(blendOfDose(dose) !== null && {
      components: partsOfDose(dose).map((part) => ({ name: part.name, dose: partAmount(part, doseUnit) })),
    }),
  };
}

/** A taken dose as event data. @param actualDose decimal text in `doseUnit` */
export function takenDoseData(dose: DoseInMessage & { takenAt: Date; actualDose: string | null }) {
  const { takenAt, actualDose, doseAmount } = dose;
  return {
    ...doseData(dose),
    takenAt: takenAt.toISOString(),
    actualDose: Number(actualDose ?? doseAmount),
  };
}

/** A vial as event data, with amounts in `amountUnit` as in the API. */
export function vialData(vial: Vial) {
  const { id, name, status, totalAmount, remaining } = vial;
  return {
    compoundId: id,
    name,
    status,
    totalAmount: Number(totalAmount),
    remainingAmount: Math.max(0, Number(remaining)),
    amountUnit: measureOf(vial),
  };
}

/** A side effect as event data. */
export function sideEffectData(effect: SideEffect & { id: string }) {
  const { id, name, severity, startedAt, resolvedDate } = effect;
  return { sideEffectId: id, name, severity, startedAt: startedAt.toISOString(), resolvedDate };
}

/** A proposal as event data. The call's summary does not name what it is about. */
export function proposalData(proposal: { id: string; operation: string; summary: string }) {
  const { id, operation, summary } = proposal;
  return { proposalId: id, operation, summary };
}

type WebhookData = Readonly<
  Record<string, string | number | null | readonly { name: string; dose: number }[]>
>;

/** Fields that name a compound, an amount or a side effect; they are null in discreet mode. */
const REVEALING = new Set([
  ...['name', 'doseAmount', 'actualDose', 'doseUnit', 'components'],
  ...['totalAmount', 'remainingAmount', 'amountUnit', 'severity'],
]);

/** An event of an account, before it is addressed to any webhook. */
export interface EventFacts {
  type: WebhookEvent;
  /** Identifies the event, so that it is recorded once even if it is noticed twice. */
  key: string;
  /** When it happened. */
  at: Date;
  /** The dose it is about, or null. */
  doseId: string | null;
  data: WebhookData;
}

/**
 * The body of a message, which the signature covers. The id stays the same on every attempt.
 * @param isDiscreet sets names and amounts to null
 */
export function webhookBody(
  { id, type, at, data }: { id: string; type: WebhookType; at: Date; data: WebhookData },
  isDiscreet: boolean,
): string {
  const shown = Object.entries(data).map(([name, value]) => [
    name,
    isDiscreet && REVEALING.has(name) ? null : value,
  ]);
  return JSON.stringify({ id, type, createdAt: at.toISOString(), data: Object.fromEntries(shown) });
}

export const WEBHOOK_MESSAGES = {
  url: 'Enter a public address that begins with https://',
  unresolved: 'The host name of this address could not be found. Check its spelling.',
  slow: 'The name server of this address does not answer. Try again later.',
  events: 'Choose at least one event',
  limit: `You have ${MAX_WEBHOOKS} webhooks, the most an account can have. Delete one you no longer need.`,
  none: 'There is no such webhook.',
  noDelivery: 'There is no such delivery.',
  underWay: 'This delivery is being sent at the moment. Try again in a minute.',
  off: 'This account cannot send anything to other servers.',
  lostSecret: 'its secret can no longer be read; create a new one',
  created: 'Webhook added',
  saved: 'Webhook saved',
  deleted: 'Webhook deleted',
} as const;

/** Only checks the syntax. The operation checks that the host is on the public internet. */
const url = z
  .string({ error: WEBHOOK_MESSAGES.url })
  .trim()
  .max(MAX_WEBHOOK_URL_LENGTH, { error: WEBHOOK_MESSAGES.url, abort: true })
  .refine((text) => URL.canParse(text), { error: WEBHOOK_MESSAGES.url });

/** Names an event that does not exist, and those that do. */
const unknownEvent = ({ input }: { input?: unknown }): string =>
  `${typeof input === 'string' ? `“${input.slice(0, 60)}”` : 'This'} is not an event. The events are ${WEBHOOK_EVENTS.join(', ')}`;

/** An event, by one name in the API's document. */
export const webhookEventSchema = z
  .enum(WEBHOOK_EVENTS, { error: unknownEvent })
  .meta({ id: 'WebhookEvent' });

const events = z
  .array(webhookEventSchema, { error: WEBHOOK_MESSAGES.events })
  .min(1, { error: WEBHOOK_MESSAGES.events })
  .transform((chosen) => WEBHOOK_EVENTS.filter((event) => chosen.includes(event)));

export const webhookSchema = z.object({ url, events });

export type WebhookInput = z.input<typeof webhookSchema>;

/** Changes a webhook; fields that are not sent stay the same. */
export const webhookChangesSchema = webhookSchema.partial();

/** Gives a webhook a new secret. */
export const newSecretSchema = z.object({
  endOld: z.boolean().default(false).describe('Stop signing with the old secret at once, not after 24 hours'),
});

export type NewSecretInput = z.input<typeof newSecretSchema>;

export type WebhookChangesInput = z.input<typeof webhookChangesSchema>;
