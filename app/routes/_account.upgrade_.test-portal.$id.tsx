import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PlanPage, TestPortal } from '#app/features/billing/index.ts';
import { testActionSchema } from '#app/domain/billing/billing-schema.ts';
import { firstError } from '#app/ui/error-summary.tsx';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { stepText, testPortalView } from '#app/features/billing/pages.server.ts';
import { actAtTestPortal, getTestPortal } from '#app/features/billing/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Test portal – Vialbook' }];

export const loader = forUsers(({ params, ctx }) => testPortalView(ctx, params.id ?? ''));

export const action = forUsers(async ({ request, params, ctx }) => {
  const { id } = await getTestPortal(ctx, params.id ?? '');
  return submit(request, testActionSchema, async ({ action: step }) => {
    await actAtTestPortal(ctx, id, { action: step });
    return done(`/upgrade/test-portal/${id}`, `Done: ${stepText(step)}`);
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function TestPortalPage() {
  const view = useLoaderData<typeof loader>();
  const error = firstError(useActionData<typeof action>()?.lastResult);
  return (
    <PlanPage title="Test portal">
      <TestPortal {...view} error={error} />
    </PlanPage>
  );
}
