import type { MetaFunction } from '@remix-run/node';
import { randomUUID } from 'node:crypto';
import { useLoaderData } from '@remix-run/react';
import { TodayScreen } from '#app/features/doses/index.ts';
import { ScheduleTabs, TravelNotice, useReload } from '#app/features/schedules/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { getTodayPage } from '#app/features/doses/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Today – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => ({
  ...(await getTodayPage(ctx)),
  idempotencyKey: randomUUID(),
}));

export default function TodayPage() {
  const { today, stock, travel, idempotencyKey } = useLoaderData<typeof loader>();
  useReload();
  return (
    <>
      <PageTitle actions={<LinkButton to="/dashboard/schedule/log">Log a dose</LinkButton>}>Today</PageTitle>
      <ScheduleTabs current="today" />
      <TravelNotice {...travel} />
      <TodayScreen today={today} {...stock} idempotencyKey={idempotencyKey} />
    </>
  );
}
