import * as z from 'zod';
import {
  newSecretSchema,
  WEBHOOK_TYPES,
  webhookChangesSchema,
  webhookEventSchema,
  webhookSchema,
} from '#app/domain/webhooks/webhook.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import {
  cursorPageShape,
  cursorQuery,
  idParams,
  instant,
  named,
  pageQuery,
} from '#app/platform/api/shapes.ts';
import { pageOfAll } from '#app/platform/pagination.server.ts';
import { listWebhookDeliveries, sendAgain, sendTestEvent } from './webhook-deliveries.server.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './webhooks.server.ts';

const tag = 'Webhooks';

/** What the calls share that decide where events go. */
const SET_IN_PERSON =
  'Needs a session and a sign-in within the last 15 minutes, so personal tokens cannot do this. The owner gets a mail.';

const webhookShape = named(
  'Webhook',
  z.object({
    id: z.string(),
    url: z.string(),
    events: z.array(webhookEventSchema),
    oldSecretUntil: instant.nullable().describe('Until when the old secret signs messages, too'),
    createdAt: instant,
    failingSince: instant.nullable().describe('Since when no delivery has arrived; null while they arrive'),
  }),
);

const deliveryShape = named(
  'WebhookDelivery',
  z.object({
    id: z.string(),
    eventId: z.string().describe('The id in the body, the same on every try'),
    type: z.enum(WEBHOOK_TYPES),
    state: z
      .enum(['waiting', 'sent', 'dropped', 'failed'])
      .describe('`failed`: given up; `dropped`: no longer worth sending'),
    attempts: z.int(),
    status: z.int().nullable().describe('HTTP status of the last response; null without one'),
    reason: z.string().nullable().describe('Why it was not accepted'),
    body: z.string().describe('Exactly as sent'),
    createdAt: instant,
    triedAt: instant.nullable(),
    sentAt: instant.nullable(),
    nextTryAt: instant.nullable().describe('Null when no further try follows'),
  }),
);

const EXAMPLE_WEBHOOK = {
  id: 'hook_6740f1a29c1b2d3e4f506172',
  url: 'https://example.org/hooks/vialbook',
  events: ['dose.due', 'dose.taken'],
  oldSecretUntil: null,
  createdAt: '2026-11-22T08:00:00.000Z',
  failingSince: null,
};

const EXAMPLE_DELIVERY = {
  id: 'whd_5f0c6f7a2b1d4e3c9a8b7c6d5e4f3a2b',
  eventId: 'evt_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  type: 'dose.due',
  state: 'sent',
  attempts: 1,
  status: 200,
  reason: null,
  body: '{"id":"evt_0a1b2c3d4e5f60718293a4b5c6d7e8f9","type":"dose.due","createdAt":"2026-11-22T08:00:00.000Z","data":{}}',
  createdAt: '2026-11-22T08:00:00.000Z',
  triedAt: '2026-11-22T08:00:01.000Z',
  sentAt: '2026-11-22T08:00:01.000Z',
  nextTryAt: null,
};

const EXAMPLE_SECRET = 'whsec_mK3vQ9dV0yq1sX7pZcR2tB8nLw5eHj4uGaFo6iTkNxY=';

const webhookAnswer = z.object({ webhook: webhookShape });
const secretAnswer = z.object({
  webhook: webhookShape,
  secret: z.string().describe('Signs every message; shown only once'),
});
const deliveryAnswer = z.object({ delivery: deliveryShape });

const listCall = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  tag,
  summary: 'List webhooks',
  description: 'Oldest first, without their secrets.',
  access: 'user',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery }),
  response: z.object({ webhooks: z.array(webhookShape), ...cursorPageShape }),
  example: { data: { webhooks: [EXAMPLE_WEBHOOK], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfAll(query, await listWebhooks(ctx), {
      name: 'webhooks',
      kinds: ['instant', 'text'],
      placeOf: ({ createdAt, id }) => [createdAt, id],
      order: 1,
    });
    return { webhooks: items, ...paging };
  },
});

const createCall = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/api/webhooks',
  tag,
  summary: 'Add a webhook',
  description:
    'Returns the secret that signs its messages; it is shown only once. The address must begin with https:// and be on ' +
    'the public internet. An account can have at most 5. `docs/webhooks.md` explains how to check the signature. ' +
    SET_IN_PERSON,
  access: 'premium',
  sessionOnly: true,
  creates: '/api/webhooks/{webhook.id}',
  body: webhookSchema,
  response: secretAnswer,
  holdsSecret: true,
  errors: ['LIMIT_REACHED', 'RECENT_SIGN_IN_REQUIRED'],
  example: {
    body: { url: EXAMPLE_WEBHOOK.url, events: EXAMPLE_WEBHOOK.events },
    data: { webhook: EXAMPLE_WEBHOOK, secret: EXAMPLE_SECRET },
  },
  run: (ctx, { body }) => createWebhook(ctx, body),
});

const getCall = operation({
  id: 'getWebhook',
  method: 'GET',
  path: '/api/webhooks/{id}',
  tag,
  summary: 'One webhook',
  description: 'Without its secret, which is shown only when it is created.',
  access: 'user',
  params: idParams,
  response: webhookAnswer,
  example: { data: { webhook: EXAMPLE_WEBHOOK } },
  run: async (ctx, { params }) => ({ webhook: await getWebhook(ctx, params.id) }),
});

const changeCall = operation({
  id: 'changeWebhook',
  method: 'PUT',
  path: '/api/webhooks/{id}',
  tag,
  summary: 'Change the address or the events of a webhook',
  description: `Fields that are not sent stay the same. Waiting deliveries go to the new address. ${SET_IN_PERSON}`,
  looksOutside: true,
  access: 'premium',
  sessionOnly: true,
  params: idParams,
  body: webhookChangesSchema,
  errors: ['RECENT_SIGN_IN_REQUIRED'],
  response: webhookAnswer,
  example: { body: { events: EXAMPLE_WEBHOOK.events }, data: { webhook: EXAMPLE_WEBHOOK } },
  run: async (ctx, { params, body }) => ({ webhook: await updateWebhook(ctx, params.id, body) }),
});

const deleteCall = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  tag,
  summary: 'Delete a webhook with its deliveries',
  description: 'Waiting deliveries are not sent.',
  access: 'user',
  params: idParams,
  errors: ['NOT_FOUND'],
  example: {},
  async run(ctx, { params }) {
    await deleteWebhook(ctx, params.id);
    return new Reply({}, { message: 'Webhook deleted' });
  },
});

const rotateCall = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/webhooks/{id}/secret',
  tag,
  summary: 'Give a webhook a new secret',
  description: `It is shown only once. For 24 hours messages are signed with both secrets. ${SET_IN_PERSON}`,
  access: 'premium',
  sessionOnly: true,
  params: idParams,
  body: newSecretSchema,
  response: secretAnswer,
  holdsSecret: true,
  errors: ['RECENT_SIGN_IN_REQUIRED'],
  example: { body: {}, data: { webhook: EXAMPLE_WEBHOOK, secret: EXAMPLE_SECRET } },
  run: (ctx, { params, body }) => rotateWebhookSecret(ctx, params.id, body),
});

const testCall = operation({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  tag,
  summary: 'Send a test event',
  description: 'Returns the result. It is tried only once.',
  access: 'premium',
  params: idParams,
  response: deliveryAnswer,
  example: { body: {}, data: { delivery: { ...EXAMPLE_DELIVERY, type: 'test' } } },
  run: async (ctx, { params }) => ({ delivery: await sendTestEvent(ctx, params.id) }),
});

const deliveriesCall = operation({
  id: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries',
  tag,
  summary: 'The last 50 deliveries of a webhook',
  description: 'Newest first, with what was sent and the result.',
  access: 'user',
  params: idParams,
  query: z.object({ ...pageQuery(50), ...cursorQuery }),
  response: z.object({ deliveries: z.array(deliveryShape), ...cursorPageShape }),
  example: { data: { deliveries: [EXAMPLE_DELIVERY], page: 1, limit: 50, total: 1, next: null } },
  async run(ctx, { params, query }) {
    const { items, paging } = await pageOfAll(query, await listWebhookDeliveries(ctx, params.id), {
      name: 'deliveries',
      kinds: ['instant', 'text'],
      placeOf: ({ createdAt, id }) => [createdAt, id],
      order: -1,
    });
    return { deliveries: items, ...paging };
  },
});

const sendAgainCall = operation({
  id: 'sendWebhookDeliveryAgain',
  method: 'POST',
  path: '/api/webhooks/{id}/deliveries/{deliveryId}/send',
  tag,
  summary: 'Send a delivery again',
  description: 'With the same id and body. If that fails, it is tried for another 24 hours.',
  access: 'premium',
  params: idParams.extend({ deliveryId: z.string().min(1).max(200) }),
  response: deliveryAnswer,
  errors: ['ALREADY_RUNNING'],
  example: { body: {}, data: { delivery: EXAMPLE_DELIVERY } },
  run: async (ctx, { params }) => ({ delivery: await sendAgain(ctx, params.id, params.deliveryId) }),
});

export const webhookOperations = [
  listCall,
  createCall,
  getCall,
  changeCall,
  deleteCall,
  rotateCall,
  testCall,
  deliveriesCall,
  sendAgainCall,
];
