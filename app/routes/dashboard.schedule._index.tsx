import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { TodayScreen } from '#app/components/dose/today-screen.tsx';
import { ScheduleTabs } from '#app/components/schedule/schedule-tabs.tsx';
import { useReload } from '#app/components/schedule/use-reload.ts';
import { LinkButton } from '#app/components/ui/button.tsx';
import { PageTitle } from '#app/components/ui/page-title.tsx';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { readToday, stockOfToday } from '#app/services/today.server.ts';

export const meta: MetaFunction = () => [{ title: 'Today – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => {
  const [today, forecasts] = await Promise.all([readToday(ctx), stockOfToday(ctx)]);
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
