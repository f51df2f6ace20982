import * as z from 'zod';
import { WEBHOOK_TYPES } from './webhook.ts';

const text = z.string().nullable();

/** What a message is about. Each event has the fields that `docs/webhooks.md` lists for it. */
const eventData = z
  .looseObject({
    doseId: z.string(),
    scheduleId: text,
    compoundId: text,
    name: text,
    dueDate: z.iso.datetime(),
    doseAmount: z.number().nullable(),
    doseUnit: text,
    takenAt: z.iso.datetime(),
    actualDose: z.number().nullable(),
    status: text,
    totalAmount: z.number().nullable(),
    remainingAmount: z.number().nullable(),
    amountUnit: text,
    sideEffectId: z.string(),
    severity: z.int().nullable(),
    startedAt: z.iso.datetime(),
    resolvedDate: text,
    proposalId: z.string(),
    operation: z.string(),
    summary: z.string(),
    components: z.array(z.object({ name: z.string(), dose: z.number() })).nullable(),
    runsOutOn: z.iso.date(),
    lastDay: z.iso.date(),
    message: z.string(),
  })
  .partial()
  .meta({ id: 'WebhookData' });

/** The body of a message to a webhook, as the API's document describes it. */
export const webhookMessageShape = z
  .object({ id: z.string(), type: z.enum(WEBHOOK_TYPES), createdAt: z.iso.datetime(), data: eventData })
  .meta({ id: 'WebhookMessage' });
