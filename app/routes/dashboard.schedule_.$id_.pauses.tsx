import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Pauses, SchedulePage } from '#app/features/schedules/index.ts';
import { readPausesPage, submitPause } from '#app/features/schedules/pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Plan a pause – Vialbook' }];

export const loader = forPremiumUsers(readPausesPage);

export const action = forPremiumUsers(submitPause);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function PlannedPauses() {
  const { name, ...shown } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <SchedulePage tab="schedules" title={`Plan a pause of ${name}`}>
      <Pauses {...shown} {...sent} />
    </SchedulePage>
  );
}
