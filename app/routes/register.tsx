import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { RegisterForm } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { FLAG_WORDS } from '#app/domain/flags/flags.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { registerSchema } from '#app/domain/accounts/account-schema.ts';
import { authenticateForm, register } from '#app/features/accounts/index.server.ts';
import { forVisitors } from '#app/platform/http/route-handlers.server.ts';
import { safeRedirect } from '#app/platform/http/safe-redirect.ts';
import { signInReply } from '#app/features/accounts/sign-in-pages.server.ts';
import { isSwitchedOn } from '#app/platform/flags/flags.server.ts';

export const meta: MetaFunction = () => [
  { title: 'Create an account – Vialbook' },
  {
    name: 'description',
    content:
      'Create an account: vials with what is left in them, schedules with reminders, and every calculation kept.',
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

export const action = forVisitors(async ({ request, ctx }) =>
  signInReply(
    { request, ctx },
    await authenticateForm(request, registerSchema, async (input) => ({
      next: 'done',
      signedIn: await register(ctx, input),
    })),
  ),
);

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
