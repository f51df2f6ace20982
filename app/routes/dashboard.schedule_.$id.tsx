import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ScheduleDetail } from '#app/components/schedule/schedule-detail.tsx';
import { SchedulePage } from '#app/components/schedule/schedule-page.tsx';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { readSchedulePage } from '#app/http/schedule-page.server.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.name ?? 'Schedule'} – Vialbook` },
];

export const loader = forPremiumUsers(readSchedulePage);

export default function Schedule() {
  const { name, ...schedule } = useLoaderData<typeof loader>();
  return (
    <SchedulePage tab="schedules" title={name}>
      <ScheduleDetail {...schedule} />
    </SchedulePage>
  );
}
