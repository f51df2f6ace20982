import { DAY_MS, HOUR_MS } from '#app/domain/time/calendar.ts';
import { blendOfDose, partAmount, partsOfDose, type BlendedDose } from '#app/domain/vials/contents.ts';
import * as z from 'zod';

/** What a webhook can be told of. */
export const WEBHOOK_EVENTS = [
  'dose.due',
  'dose.taken',
  'dose.missed',
  'stock.low',
  'vial.expiring',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What is sent to a webhook: events, and a test that its owner asks for. */
export const WEBHOOK_TYPES = [...WEBHOOK_EVENTS, 'test'] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** The events in words. */
export const WEBHOOK_EVENT_LABELS: Record<WebhookType, string> = {
  'dose.due': 'A dose is due',
  'dose.taken': 'A dose was taken',
  'dose.missed': 'A dose was missed',
  'stock.low': 'Stock is running low',
  'vial.expiring': 'A vial is close to its beyond-use date',
  test: 'Test event',
};

/** Webhooks that an account may have at a time. */
export const MAX_WEBHOOKS = 5;

/** Deliveries of a webhook that are listed. */
export const LISTED_DELIVERIES = 50;

/** The longest address of a webhook. */
const MAX_WEBHOOK_URL_LENGTH = 2048;

/** Begins every secret: secret scanners recognise a leaked one. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** For so long a delivery is tried, in ms. */
export const WEBHOOK_LIFE_MS = DAY_MS;

/**
 * How long a delivery is kept, in ms. What lasts, such as stock that runs low, is news once in that time, as its reminder is.
 */
export function deliveryKeptMs(type: WebhookType): number {
  return (type === 'stock.low' || type === 'vial.expiring' ? 90 : 30) * DAY_MS;
}

/** The pauses between the tries of a delivery: half a minute, then twice as long each time, at most four hours. */
export const WEBHOOK_PAUSES = { firstMs: 30_000, factor: 2, longestMs: 4 * HOUR_MS } as const;

/** The host of an address, for lists and messages: the rest of it may hold a secret. */
export const webhookHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** What a dose says about itself in an event. */
interface ToldDose extends BlendedDose {
  id: string;
  scheduleId: string | null;
  dueDate: Date;
}

/** A dose as events about it describe it; amounts as the API gives them, in `doseUnit`. Of a blend with each component. */
export function doseData(dose: ToldDose) {
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

/** The same of a dose that was taken. @param actualDose decimal text in `doseUnit` */
export function takenDoseData(dose: ToldDose & { takenAt: Date; actualDose: string | null }) {
  const { takenAt, actualDose, doseAmount } = dose;
  return {
    ...doseData(dose),
    takenAt: takenAt.toISOString(),
    actualDose: Number(actualDose ?? doseAmount),
  };
}

/** A value of an event's data. */
type WebhookData = Readonly<
  Record<string, string | number | null | readonly { name: string; dose: number }[]>
>;

/** What names a compound or an amount; null in the events of those who chose discreet mode. */
const REVEALING = new Set(['name', 'doseAmount', 'actualDose', 'doseUnit', 'components']);

/** An event of an account, before it is on its way to anybody. */
export interface ToldEvent {
  type: WebhookEvent;
  /** The same whoever notices the event: it is recorded once. */
  key: string;
  /** When it happened. */
  at: Date;
  /** The dose it is about, or null. */
  doseId: string | null;
  data: WebhookData;
}

/**
 * The body of a message, which is what its signature is about.
 * @param event with the id that is the same on every try
 * @param isDiscreet leaves names and amounts out
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
