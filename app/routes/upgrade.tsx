import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Pricing } from '#app/components/landing/pricing.tsx';
import { Notice } from '#app/components/ui/notice.tsx';
import { PlanChoice } from '#app/components/upgrade/plan-choice.tsx';
import { PlanPage } from '#app/components/upgrade/plan-page.tsx';
import { PlanStatus } from '#app/components/upgrade/plan-status.tsx';
import { TestMode } from '#app/components/upgrade/test-mode.tsx';
import { isBillingHere } from '#app/http/billing-host.server.ts';
import { firstError } from '#app/http/first-error.ts';
import { forUsers } from '#app/http/page.server.ts';
import { submitUpgrade } from '#app/http/upgrade-form.server.ts';
import { upgradeView } from '#app/http/upgrade-page.server.ts';

export const meta: MetaFunction = () => [{ title: 'Plans – Vialbook' }];

export const loader = forUsers(async ({ request, ctx }) =>
  data(await upgradeView(request, ctx), { status: isBillingHere(request) ? 200 : 503 }),
);

/** Starts the free trial, or leads to the checkout or the portal. */
export const action = forUsers(({ request, ctx }) => submitUpgrade(request, ctx));

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
        <Pricing offer={false} />
      </div>
    </PlanPage>
  );
}
