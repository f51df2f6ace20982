import type { MetaFunction } from '@remix-run/node';
import { useLoaderData, useRouteError } from '@remix-run/react';
import { AdminDataError } from '#app/components/admin/admin-data-error.tsx';
import { OverviewFigures } from '#app/components/admin/overview-figures.tsx';
import { QuickActions, RecentActivity } from '#app/components/admin/recent-activity.tsx';
import { PageTitle } from '#app/components/ui/page-title.tsx';
import { activityRow, overviewFigures } from '#app/http/admin-overview.server.ts';
import { forAdmins } from '#app/http/page.server.ts';
import { thrownMessage } from '#app/http/thrown-message.ts';
import { recentActivity } from '#app/services/admin-activity.server.ts';
import { adminStats } from '#app/services/admin-stats.server.ts';

export const meta: MetaFunction = () => [{ title: 'Overview – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, user }) => {
  const [stats, activity] = await Promise.all([adminStats(ctx), recentActivity(ctx)]);
  return {
    figures: overviewFigures(stats),
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
