import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ScheduleList, SchedulePage, TravelNotice } from '#app/features/schedules/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readSchedulesPage } from '#app/features/schedules/pages.server.ts';

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
