import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { SchedulePage, SwapForm } from '#app/features/schedules/index.ts';
import { readSwapPage, submitSwap } from '#app/features/schedules/plan-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Change compound, vial or dose – Vialbook' }];

export const loader = forPremiumUsers(readSwapPage);

export const action = forPremiumUsers(submitSwap);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function SwapSchedule() {
  const shown = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <SchedulePage tab="schedules" title={`Change compound, vial or dose of ${shown.name}`}>
      <SwapForm {...shown} {...refused} />
    </SchedulePage>
  );
}
