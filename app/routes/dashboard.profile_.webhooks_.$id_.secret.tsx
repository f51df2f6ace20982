import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ProfileSubPage } from '#app/features/accounts/index.ts';
import { RotateSecret, WebhookSecret } from '#app/features/webhooks/index.ts';
import { newSecretSchema } from '#app/domain/webhooks/webhook.ts';
import { getWebhook, rotateWebhookSecret } from '#app/features/webhooks/index.server.ts';
import { webhookLine } from '#app/features/webhooks/pages.server.ts';
import { authoriseRecentPremiumUser } from '#app/platform/access/authorise.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'New webhook secret – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) => {
  const webhook = webhookLine(await getWebhook(ctx, params.id ?? ''), user.timeZone);
  authoriseRecentPremiumUser(ctx, 'webhook.set');
  return { webhook };
});

/** Only this response shows the secret; it is stored encrypted, and no later page shows it. */
export const action = forPremiumUsers(({ request, ctx, params }) =>
  submit(request, newSecretSchema, async (input) => {
    const { webhook, secret } = await rotateWebhookSecret(ctx, params.id ?? '', input);
    return data({ created: { id: webhook.id, url: webhook.url, secret } });
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewSecret() {
  const { webhook } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return answer && 'created' in answer ? (
    <ProfileSubPage title="New secret" above="developer">
      <WebhookSecret {...answer.created} />
    </ProfileSubPage>
  ) : (
    <RotateSecret webhook={webhook} />
  );
}
