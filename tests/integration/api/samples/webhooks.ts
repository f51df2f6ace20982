import { randomBytes } from 'node:crypto';
import { encryptSecret } from '#app/platform/secrets/encrypted-secret.server.ts';
import type { ApiClient } from '../client.ts';
import type { World } from '../world.ts';
import type { Samples } from './sample.ts';
import { reposOf } from '#tests/support/repositories.ts';

/** An address of the public internet that nobody has, so that nothing arrives. */
const WEBHOOK = { url: 'https://[2d00::1]/vialbook', events: ['dose.due', 'stock.low'] };

async function clear(owner: ApiClient): Promise<void> {
  const { body } = await owner.get('/api/webhooks');
  for (const { id } of body.data?.['webhooks'] as { id: string }[]) await owner.delete(`/api/webhooks/${id}`);
}

/** A user's webhook; they need not have Premium any more. */
async function prepare(owner: ApiClient, world: World): Promise<{ params: { id: string } }> {
  await clear(owner);
  const { body } = await owner.get('/api/auth/me');
  const { id: userId } = body.data?.['user'] as { id: string };
  const id = `hook_${randomBytes(8).toString('hex')}`;
  const url = `${WEBHOOK.url}/${id}`;
  const ctx = world.terminal();
  // Readable, because a dose of the user may fall due meanwhile.
  const secret = encryptSecret(ctx.secret, { purpose: 'webhook', ownerId: userId }, 'whsec_sample');
  const row = { id, userId, url, events: ['dose.due' as const], secret, createdAt: new Date() };
  const old = { oldSecret: null, oldSecretUntil: null };
  await reposOf(ctx).webhooks.create({ ...row, ...old, failingSince: null }, 5);
  return { params: { id } };
}

/** A webhook with a readable secret, so that messages can be sent. */
async function made(owner: ApiClient): Promise<{ params: { id: string } }> {
  await clear(owner);
  const { body } = await owner.post('/api/webhooks', WEBHOOK);
  const { id } = body.data?.['webhook'] as { id: string };
  return { params: { id } };
}

export const webhookSamples: Samples = {
  listWebhooks: {},
  createWebhook: { prepare: () => ({ body: WEBHOOK }), altersOwner: true },
  getWebhook: { prepare },
  changeWebhook: {
    prepare: async (owner, world) => ({ ...(await prepare(owner, world)), body: { events: ['dose.taken'] } }),
  },
  deleteWebhook: { prepare },
  rotateWebhookSecret: { prepare: async (owner, world) => ({ ...(await prepare(owner, world)), body: {} }) },
  testWebhook: {
    prepare: async (owner) => ({ ...(await made(owner)), body: {} }),
  },
  listWebhookDeliveries: { prepare },
  sendWebhookDeliveryAgain: {
    async prepare(owner) {
      const { id } = (await made(owner)).params;
      const { body } = await owner.post(`/api/webhooks/${id}/test`, {});
      const { id: deliveryId } = body.data?.['delivery'] as { id: string };
      return { params: { id, deliveryId }, body: {} };
    },
  },
};
