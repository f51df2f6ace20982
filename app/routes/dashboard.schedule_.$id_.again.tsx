import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { BeginAgain, SchedulePage } from '#app/features/schedules/index.ts';
import { readAgainPage, submitAgain } from '#app/features/schedules/plan-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Start a schedule again – Vialbook' }];

export const loader = forPremiumUsers(readAgainPage);

export const action = forPremiumUsers(submitAgain);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function BeginScheduleAgain() {
  const { name, ...shown } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <SchedulePage tab="schedules" title={`Start ${name} again`}>
      <BeginAgain {...shown} {...refused} />
    </SchedulePage>
  );
}
