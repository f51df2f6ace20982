import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ProfileSubPage } from '#app/features/accounts/index.ts';
import { WebhookForm } from '#app/features/webhooks/index.ts';
import { getWebhook, updateWebhook } from '#app/features/webhooks/index.server.ts';
import { webhookLine } from '#app/features/webhooks/pages.server.ts';
import { WEBHOOK_MESSAGES, webhookSchema } from '#app/domain/webhooks/webhook.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { authoriseRecentPremiumUser } from '#app/platform/access/authorise.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Change webhook – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) => {
  const webhook = webhookLine(await getWebhook(ctx, params.id ?? ''), user.timeZone);
  authoriseRecentPremiumUser(ctx, 'webhook.set');
  return { webhook };
});

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const { id = '' } = params;
  await getWebhook(ctx, id);
  return submit(request, webhookSchema, async (input) => {
    await updateWebhook(ctx, id, input);
    return done(`/dashboard/profile/webhooks/${id}`, WEBHOOK_MESSAGES.saved);
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EditWebhook() {
  const { webhook } = useLoaderData<typeof loader>();
  return (
    <ProfileSubPage title="Change webhook" above="developer">
      <WebhookForm webhook={webhook} lastResult={useActionData<typeof action>()?.lastResult} />
    </ProfileSubPage>
  );
}
