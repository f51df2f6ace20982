import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { DeleteWebhook } from '#app/features/webhooks/index.ts';
import { deleteWebhook, getWebhook } from '#app/features/webhooks/index.server.ts';
import { webhookLine } from '#app/features/webhooks/pages.server.ts';
import { WEBHOOK_MESSAGES } from '#app/domain/webhooks/webhook.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Delete webhook – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, params }) => ({
  webhook: webhookLine(await getWebhook(ctx, params.id ?? ''), user.timeZone),
}));

export const action = forUsers(async ({ ctx, params }) => {
  await deleteWebhook(ctx, params.id ?? '');
  throw await done('/dashboard/profile/webhooks', WEBHOOK_MESSAGES.deleted);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function DeleteThisWebhook() {
  return <DeleteWebhook webhook={useLoaderData<typeof loader>().webhook} />;
}
