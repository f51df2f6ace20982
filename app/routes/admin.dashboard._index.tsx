import type { MetaFunction } from '@remix-run/node';
import { useLoaderData, useRouteError } from '@remix-run/react';
import { AdminDataError, OverviewFigures, QuickActions, RecentActivity } from '#app/features/admin/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { activityRow, overviewFigures } from '#app/features/admin/overview-pages.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { thrownMessage } from '#app/ui/errors/error-pages.tsx';
import { recentActivity, adminStats } from '#app/features/admin/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Overview – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user }) => {
  const [stats, activity] = await Promise.all([adminStats(ctx), recentActivity(ctx)]);
  return {
    figures: overviewFigures(stats, ctx.isSelling),
    activity: activity.map((entry) => activityRow(entry, user.timeZone)),
  };
});

export default function AdminOverview() {
  const { figures, activity } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle>Overview</PageTitle>
      <OverviewFigures figures={figures} />
      <QuickActions />
      <RecentActivity rows={activity} />
    </>
  );
}

export function ErrorBoundary() {
  return <AdminDataError message={thrownMessage(useRouteError())} />;
}
