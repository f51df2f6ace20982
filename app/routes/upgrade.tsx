import { data, redirect, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Pricing } from '#app/components/landing/pricing.tsx';
import { PublicShell } from '#app/components/shell/index.ts';
import { PageTitle } from '#app/components/ui/page-title.tsx';
import { PlanStatus } from '#app/components/upgrade/plan-status.tsx';
import { isAppError } from '#app/domain/errors.ts';
import { RESEARCH_NOTICE } from '#app/domain/reference/index.ts';
import { flash } from '#app/http/flash.server.ts';
import { forUsers } from '#app/http/page.server.ts';
import { STATUS } from '#app/http/status.ts';
import { getAccount } from '#app/services/accounts.server.ts';
import { startTrial } from '#app/services/trial.server.ts';

export const meta: MetaFunction = () => [{ title: 'Plans – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => ({
  premium: user.entitlement.isPremium,
  trialDaysLeft: user.entitlement.trialDaysLeft,
  trialAvailable: (await getAccount(ctx)).trialAvailable,
}));

/** Starts the free trial. */
export const action = forUsers(async ({ ctx }) => {
  try {
    await startTrial(ctx);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'CONFLICT') throw error;
    return data({ error: error.message }, { status: STATUS[error.code] });
  }
  throw redirect('/dashboard', {
    headers: { 'Set-Cookie': await flash('success', 'Your free trial has started') },
  });
});

export default function Upgrade() {
  const plan = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <PublicShell notice={RESEARCH_NOTICE} signedIn>
      <PageTitle>Plans</PageTitle>
      <PlanStatus {...plan} error={answer?.error} />
      <div className="mt-10">
        <Pricing offer={false} />
      </div>
    </PublicShell>
  );
}
