import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ProfileSubPage } from '#app/features/accounts/index.ts';
import { WebhookList } from '#app/features/webhooks/index.ts';
import { listWebhooks } from '#app/features/webhooks/index.server.ts';
import { webhookLine } from '#app/features/webhooks/pages.server.ts';
import { MAX_WEBHOOKS } from '#app/domain/webhooks/webhook.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Webhooks – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => ({
  webhooks: (await listWebhooks(ctx)).map((webhook) => webhookLine(webhook, user.timeZone)),
  isPremium: user.entitlement.isPremium,
}));

export default function Webhooks() {
  const { webhooks, isPremium } = useLoaderData<typeof loader>();
  return (
    <ProfileSubPage title="Webhooks" above="developer">
      <WebhookList webhooks={webhooks} isFull={webhooks.length >= MAX_WEBHOOKS} isPremium={isPremium} />
    </ProfileSubPage>
  );
}
