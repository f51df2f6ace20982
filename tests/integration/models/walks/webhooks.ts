import { remindOfDoses } from '#app/features/reminders/dose-reminders.server.ts';
import {
  deliverWebhooks,
  listWebhookDeliveries,
  sendAgain,
  sendTestEvent,
} from '#app/features/webhooks/webhook-deliveries.server.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '#app/features/webhooks/webhooks.server.ts';
import { WORKER } from '#app/server/worker.server.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { pendingDose } from '#tests/support/pending-doses.ts';
import { newPerson } from '#tests/support/people.ts';
import { startWebhookHost } from '#tests/support/webhook-host.ts';

/** A webhook that is told of a dose, fails for a day, works again, and is deleted. */
export async function useWebhooks(db: TestDatabase): Promise<void> {
  let status = 500;
  const host = await startWebhookHost((_message, response) => void response.writeHead(status).end());
  const { ctx, signedIn } = await newPerson(db, 'hooked@example.org', { plan: 'trial' });
  const { webhook } = await createWebhook(ctx, { url: host.url('one'), events: ['dose.taken'] });
  await updateWebhook(ctx, webhook.id, { events: ['dose.due'] });
  await rotateWebhookSecret(ctx, webhook.id);
  await db.repos.doses.createMany(signedIn.user.id, [pendingDose('dose_hooked', db.clock.now())]);
  const worker = db.ctx(WORKER.actor);
  await remindOfDoses(worker);
  await deliverWebhooks(worker);
  db.clock.advance(25 * 3_600_000);
  await deliverWebhooks(worker);
  status = 200;
  await listWebhooks(ctx);
  await getWebhook(ctx, webhook.id);
  const [delivery] = await listWebhookDeliveries(ctx, webhook.id);
  await sendAgain(ctx, webhook.id, delivery?.id ?? '');
  await sendTestEvent(ctx, webhook.id);
  await deleteWebhook(ctx, webhook.id);
  await host.close();
}
