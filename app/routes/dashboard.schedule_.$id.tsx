import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ScheduleDetail, SchedulePage } from '#app/features/schedules/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readSchedulePage } from '#app/features/schedules/pages.server.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.name ?? 'Schedule'} – Vialbook` },
];

export const loader = forPremiumUsers(readSchedulePage);

export default function Schedule() {
  const schedule = useLoaderData<typeof loader>();
  return (
    <SchedulePage tab="schedules" title={schedule.name}>
      <ScheduleDetail {...schedule} />
    </SchedulePage>
  );
}
