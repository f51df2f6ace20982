import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { LadderPlanForm, VialSubPage } from '#app/features/vials/index.ts';
import { readLadderPlan, submitLadderPlan } from '#app/features/vials/ladder-plan-pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Make this the plan – Vialbook' }];

export const loader = forUsers(readLadderPlan);

export const action = forUsers(submitLadderPlan);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function LadderPlan() {
  const { backHref, ...loaded } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <VialSubPage title="Make this the plan" backHref={backHref} backText="Back to the water">
      <LadderPlanForm {...loaded} {...sent} />
    </VialSubPage>
  );
}
