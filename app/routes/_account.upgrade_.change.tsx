import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PlanChange, PlanPage } from '#app/features/billing/index.ts';
import { changePlanSchema } from '#app/domain/billing/billing-schema.ts';
import { firstError } from '#app/ui/error-summary.tsx';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { planChangeView } from '#app/features/billing/pages.server.ts';
import { changePlan, previewPlanChange } from '#app/features/billing/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Change plan – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => planChangeView(await previewPlanChange(ctx), ctx.timeZone));

export const action = forUsers(({ request, ctx }) =>
  submit(request, changePlanSchema, async ({ plan, asOf }) => {
    await changePlan(ctx, { plan, asOf: asOf.toISOString() });
    return done('/upgrade', `Your plan is now ${plan}`);
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ChangeThePlan() {
  const view = useLoaderData<typeof loader>();
  const error = firstError(useActionData<typeof action>()?.lastResult);
  return (
    <PlanPage title={`Change to ${view.plan}`}>
      <PlanChange {...view} error={error} />
    </PlanPage>
  );
}
