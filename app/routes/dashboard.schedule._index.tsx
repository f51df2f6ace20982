import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { TodayScreen } from '#app/features/doses/index.ts';
import { ScheduleTabs, useReload } from '#app/features/schedules/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-title.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { getToday, getStockForecasts } from '#app/features/doses/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Today – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => {
  const [today, forecasts] = await Promise.all([getToday(ctx), getStockForecasts(ctx)]);
  return { today, forecasts };
});

export default function TodayPage() {
  const { today, forecasts } = useLoaderData<typeof loader>();
  useReload();
  return (
    <>
      <PageTitle actions={<LinkButton to="/dashboard/schedule/log">Log a dose</LinkButton>}>Today</PageTitle>
      <ScheduleTabs current="today" />
      <TodayScreen today={today} forecasts={forecasts} />
    </>
  );
}
