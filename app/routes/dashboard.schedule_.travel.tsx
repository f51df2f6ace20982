import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { SchedulePage, TravelForm } from '#app/features/schedules/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readTravelPage, submitTravel } from '#app/features/schedules/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Home time or local time – Vialbook' }];

export const loader = forPremiumUsers(readTravelPage);

export const action = forPremiumUsers(submitTravel);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Travel() {
  return (
    <SchedulePage tab="schedules" title="Home time or local time">
      <TravelForm {...useLoaderData<typeof loader>()} />
    </SchedulePage>
  );
}
