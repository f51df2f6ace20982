import { data, type MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { ProfileSubPage } from '#app/features/accounts/index.ts';
import { WebhookForm, WebhookSecret } from '#app/features/webhooks/index.ts';
import { createWebhook } from '#app/features/webhooks/index.server.ts';
import { webhookSchema } from '#app/domain/webhooks/webhook.ts';
import { authoriseRecentPremiumUser } from '#app/platform/access/authorise.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'New webhook – Vialbook' }];

export const loader = forPremiumUsers(({ ctx }) => {
  authoriseRecentPremiumUser(ctx, 'webhook.set');
  return null;
});

/** Only this response shows the secret; it is stored encrypted, and no later page shows it. */
export const action = forPremiumUsers(({ request, ctx }) =>
  submit(request, webhookSchema, async (input) => {
    const { secret, webhook } = await createWebhook(ctx, input);
    return data({ created: { id: webhook.id, url: webhook.url, secret } });
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NewWebhook() {
  const answer = useActionData<typeof action>();
  return (
    <ProfileSubPage title="New webhook" above="developer">
      {answer && 'created' in answer ? (
        <WebhookSecret {...answer.created} />
      ) : (
        <WebhookForm lastResult={answer?.lastResult} />
      )}
    </ProfileSubPage>
  );
}
