import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Pauses, SchedulePage } from '#app/features/schedules/index.ts';
import { readPausesPage, submitPause } from '#app/features/schedules/pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Pause with dates – Vialbook' }];

export const loader = forPremiumUsers(readPausesPage);

export const action = forPremiumUsers(submitPause);

export default function PlannedPauses() {
  const { name, ...shown } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <SchedulePage tab="schedules" title={`Pause ${name} with dates`}>
      <Pauses {...shown} {...sent} />
    </SchedulePage>
  );
}
