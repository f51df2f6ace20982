import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { RegisterForm } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { FLAG_WORDS } from '#app/domain/flags/flags.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { forVisitors } from '#app/platform/http/route-handlers.server.ts';
import { safeRedirect } from '#app/platform/http/addresses.ts';
import { submitRegistration } from '#app/features/accounts/sign-in-pages.server.ts';
import { isSwitchedOn } from '#app/platform/flags/flags.server.ts';

export const meta: MetaFunction = () => [
  { title: 'Create an account – Vialbook' },
  {
    name: 'description',
    content:
      'Create an account to track what is left in your vials, get reminders for your schedules and keep every calculation.',
  },
];

export const loader = forVisitors(async ({ ctx, url }) => {
  const target = url.searchParams.get('redirectTo');
  return {
    isOpen: await isSwitchedOn(ctx, 'registration'),
    plan: url.searchParams.get('plan') === 'trial' ? ('trial' as const) : null,
    referral: url.searchParams.get('ref')?.slice(0, 64) ?? null,
    redirectTo: target === null ? null : safeRedirect(target),
  };
});

export const action = forVisitors(submitRegistration);

export default function Register() {
  const { isOpen, plan, referral, redirectTo } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      {isOpen ? null : <Notice tone="warning">{FLAG_WORDS.registration.refusal}</Notice>}
      <RegisterForm
        lastResult={lastResult}
        plan={plan ?? undefined}
        referral={referral ?? undefined}
        redirectTo={redirectTo ?? undefined}
      />
    </PublicShell>
  );
}
