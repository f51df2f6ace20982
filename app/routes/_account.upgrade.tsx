import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PlanContents } from '#app/features/site/index.ts';
import { Notice } from '#app/ui/notice.tsx';
import { PlanChoice, PlanPage, PlanStatus, TestMode } from '#app/features/billing/index.ts';
import { isBillingHere } from '#app/platform/http/session.server.ts';
import { firstError } from '#app/ui/error-summary.tsx';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submitUpgrade, upgradeView } from '#app/features/billing/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Plans – Vialbook' }];

export const loader = forUsers(async ({ ctx }) =>
  data(await upgradeView(ctx), { status: isBillingHere(ctx) ? 200 : 503 }),
);

/** Starts the free trial, or redirects to the checkout or the portal. */
export const action = forUsers(({ request, ctx }) => submitUpgrade(request, ctx));

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Upgrade() {
  const view = useLoaderData<typeof loader>();
  const error = firstError(useActionData<typeof action>()?.lastResult);
  return (
    <PlanPage title="Plans">
      <PlanStatus {...view} error={error} />
      {view.choice ? <PlanChoice {...view.choice} /> : null}
      <div className="mt-6 grid gap-4">
        {view.isTest ? <TestMode /> : null}
        {view.unavailable ? <Notice>{view.unavailable}</Notice> : null}
      </div>
      <div className="mt-10">
        <PlanContents prices={view.choice === null} />
      </div>
    </PlanPage>
  );
}
