import type { WebhookEvent } from '#app/domain/webhooks/webhook.ts';
import type { Doors } from './door.ts';

export interface Webhook {
  id: string;
  url: string;
  events: readonly WebhookEvent[];
  failingSince: Date | string | null;
}

export interface Delivery {
  id: string;
  type: string;
  state: string;
  status: number | null;
  reason: string | null;
  createdAt: Date;
}

interface Created {
  webhook: Webhook;
  secret: string;
}

interface Changes {
  url?: string;
  events?: WebhookEvent[];
}

/** What `vialbook webhooks` does. Every method throws what the operation throws. */
export interface WebhookDoor {
  list(): Promise<readonly Webhook[]>;
  add(fields: Required<Changes>): Promise<Created>;
  change(id: string, changes: Changes): Promise<Webhook>;
  delete(id: string): Promise<void>;
  rotate(id: string, options: { endOld: boolean }): Promise<Created>;
  test(id: string): Promise<Delivery>;
  deliveries(id: string): Promise<readonly Delivery[]>;
  again(id: string, deliveryId: string): Promise<Delivery>;
}

type ApiDelivery = Omit<Delivery, 'createdAt'> & { createdAt: string };

const deliveryOf = (delivery: ApiDelivery): Delivery => ({
  ...delivery,
  createdAt: new Date(delivery.createdAt),
});

/** @param user the account, when the database is here */
export const webhookDoors = (user: string): Doors<WebhookDoor> => ({
  async here() {
    const operations = await import('#app/features/webhooks/index.server.ts');
    return (ctx) => ({
      list: () => operations.listWebhooks(ctx, user),
      add: (fields) => operations.createWebhook(ctx, fields, user),
      change: (id, changes) => operations.updateWebhook(ctx, id, changes, user),
      delete: (id) => operations.deleteWebhook(ctx, id, user),
      rotate: (id, options) => operations.rotateWebhookSecret(ctx, id, options, user),
      test: (id) => operations.sendTestEvent(ctx, id, user),
      deliveries: (id) => operations.listWebhookDeliveries(ctx, id, user),
      again: (id, deliveryId) => operations.sendAgain(ctx, id, deliveryId, user),
    });
  },
  async there() {
    const { allPages, call, pathOf } = await import('../server/server-api.ts');
    return (login) => {
      const deliver = async (path: string): Promise<Delivery> => {
        const { delivery } = await call<{ delivery: ApiDelivery }>(login, 'POST', path, { body: {} });
        return deliveryOf(delivery);
      };
      return {
        list: () => allPages<Webhook>(login, '/api/webhooks', 'webhooks'),
        add: (body) => call(login, 'POST', '/api/webhooks', { body }),
        async change(id, body) {
          const path = pathOf`/api/webhooks/${id}`;
          return (await call<{ webhook: Webhook }>(login, 'PUT', path, { body })).webhook;
        },
        async delete(id) {
          await call(login, 'DELETE', pathOf`/api/webhooks/${id}`);
        },
        rotate: (id, options) => call(login, 'POST', pathOf`/api/webhooks/${id}/secret`, { body: options }),
        test: (id) => deliver(pathOf`/api/webhooks/${id}/test`),
        async deliveries(id) {
          const path = pathOf`/api/webhooks/${id}/deliveries`;
          return (await allPages<ApiDelivery>(login, path, 'deliveries')).map(deliveryOf);
        },
        again: (id, deliveryId) => deliver(pathOf`/api/webhooks/${id}/deliveries/${deliveryId}/send`),
      };
    };
  },
});
