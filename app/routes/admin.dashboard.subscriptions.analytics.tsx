import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Analytics, SubscriptionPage } from '#app/features/admin/index.ts';
import { analyticsView, figureViews } from '#app/features/admin/subscriptions/subscription-pages.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { subscriptionAnalytics, subscriptionFigures } from '#app/features/admin/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Subscription analytics – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx }) => {
  const [figures, analytics] = await Promise.all([subscriptionFigures(ctx), subscriptionAnalytics(ctx)]);
  return { figures: figureViews(figures), analytics: analyticsView(analytics) };
});

export default function AdminAnalytics() {
  const { figures, analytics } = useLoaderData<typeof loader>();
  return (
    <SubscriptionPage tab="analytics" figures={figures}>
      <Analytics {...analytics} />
    </SubscriptionPage>
  );
}
