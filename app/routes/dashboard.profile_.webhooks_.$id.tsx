import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ProfileSubPage } from '#app/features/accounts/index.ts';
import { WebhookDetails } from '#app/features/webhooks/index.ts';
import {
  getWebhook,
  listWebhookDeliveries,
  sendAgain,
  sendTestEvent,
} from '#app/features/webhooks/index.server.ts';
import { deliveryLine, webhookActSchema, webhookLine } from '#app/features/webhooks/pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Webhook – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) => {
  const { id = '' } = params;
  const webhook = webhookLine(await getWebhook(ctx, id), user.timeZone);
  const deliveries = await listWebhookDeliveries(ctx, id);
  return {
    webhook,
    deliveries: deliveries.map((delivery) => deliveryLine(delivery, user.timeZone)),
  };
});

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const { id = '' } = params;
  await getWebhook(ctx, id);
  return submit(request, webhookActSchema, async ({ intent, deliveryId = '' }) => {
    const { state, reason } = await (intent === 'test'
      ? sendTestEvent(ctx, id)
      : sendAgain(ctx, id, deliveryId));
    const text =
      state === 'sent' ? 'The message arrived' : `The message did not arrive: ${reason ?? 'no answer'}`;
    return done(`/dashboard/profile/webhooks/${id}`, text);
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Webhook() {
  return (
    <ProfileSubPage title="Webhook" above="developer">
      <WebhookDetails {...useLoaderData<typeof loader>()} />
    </ProfileSubPage>
  );
}
