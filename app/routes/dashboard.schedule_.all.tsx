import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ScheduleList } from '#app/components/schedule/schedule-list.tsx';
import { SchedulePage } from '#app/components/schedule/schedule-page.tsx';
import { TravelNotice } from '#app/components/schedule/travel-notice.tsx';
import { LinkButton } from '#app/components/ui/button.tsx';
import { Pagination } from '#app/components/ui/pagination.tsx';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { readSchedulesPage } from '#app/http/schedule-page.server.ts';

export const meta: MetaFunction = () => [{ title: 'Schedules – Vialbook' }];

export const loader = forPremiumUsers(readSchedulesPage);

export default function Schedules() {
  const { homeZone, rows, pages } = useLoaderData<typeof loader>();
  const add = (
    <LinkButton to="/dashboard/schedule/new" variant="primary">
      New schedule
    </LinkButton>
  );
  return (
    <SchedulePage tab="schedules" title="Schedules" actions={rows.length > 0 ? add : null}>
      <TravelNotice homeZone={homeZone} schedules={rows} />
      <ScheduleList rows={rows} />
      <Pagination label="Schedules" {...pages} />
    </SchedulePage>
  );
}
