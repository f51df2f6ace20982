import { data } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { NoSignUp, RegisterForm } from '#app/features/accounts/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { REFERRAL_CREDIT_DAYS } from '#app/domain/referrals/referral.ts';
import { findReferrer } from '#app/features/referrals/index.server.ts';
import { FLAG_WORDS } from '#app/domain/flags/flags.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { forVisitors } from '#app/platform/http/route-handlers.server.ts';
import { safeRedirect } from '#app/platform/http/addresses.ts';
import { readCarriedCalculation } from '#app/features/calculator/pages.server.ts';
import { BEGIN_PATH } from '#app/domain/accounts/account.ts';
import { signUpState } from '#app/features/accounts/index.server.ts';
import { submitRegistration } from '#app/features/accounts/sign-in-pages.server.ts';
import { isSwitchedOn } from '#app/platform/flags/flags.server.ts';

export const meta = publicMeta(
  '/register',
  'Create an account – Vialbook',
  'Create an account to track what is left in your vials, get reminders for your schedules and keep every calculation.',
);

export const loader = forVisitors(async ({ ctx, url }) => {
  const invite = url.searchParams.get('invite');
  const signUp = await signUpState(ctx, invite);
  const target = url.searchParams.get('redirectTo');
  const calculation = readCarriedCalculation(url.searchParams);
  const referral = (ctx.isSelling && url.searchParams.get('ref')?.slice(0, 64)) || null;
  const page = {
    signUp,
    invite: signUp.isOpen && signUp.email !== null ? invite : null,
    isOpen: await isSwitchedOn(ctx, 'registration'),
    // Only Premium keeps a calculation permanently, so offer the trial.
    plan:
      ctx.isSelling && (calculation || url.searchParams.get('plan') === 'trial') ? ('trial' as const) : null,
    referral,
    isInvited: referral === null ? null : (await findReferrer(ctx, referral)) !== null,
    calculation: calculation?.summary ?? null,
    redirectTo: calculation
      ? `${BEGIN_PATH}?${calculation.query}`
      : target === null
        ? null
        : safeRedirect(target),
  };
  return data(page, { status: signUp.isOpen ? 200 : 403 });
});

export const action = forVisitors(submitRegistration);

export { clientAction } from '#app/ui/connection/client-action.ts';
import { publicMeta } from '#app/ui/public-meta.ts';

/** Says up front whether an invitation counts, because nobody could tell afterwards. */
function InvitationNotice({ isKnown }: { isKnown: boolean }) {
  if (!isKnown)
    return (
      <Notice tone="warning">
        We don’t know this invitation code, so it won’t count. You can still create an account.
      </Notice>
    );
  return (
    <Notice tone="info">
      {`Your invitation counts: once you make your first payment, you and the person who invited you get ${REFERRAL_CREDIT_DAYS} days of Premium each.`}
    </Notice>
  );
}

export default function Register() {
  const { signUp, invite, isOpen, plan, referral, isInvited, calculation, redirectTo } =
    useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  if (!signUp.isOpen)
    return (
      <PublicShell notice={RESEARCH_NOTICE}>
        <NoSignUp reason={signUp.reason} />
      </PublicShell>
    );
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      {isOpen ? null : <Notice tone="warning">{FLAG_WORDS.registration.refusal}</Notice>}
      {isInvited === null ? null : <InvitationNotice isKnown={isInvited} />}
      {calculation === null ? null : (
        <Notice tone="info" title="Your calculation will be carried over">
          <p>
            <Measured text={calculation} />
          </p>
        </Notice>
      )}
      <RegisterForm
        lastResult={lastResult}
        plan={plan ?? undefined}
        invitation={
          invite === null || signUp.email === null ? undefined : { token: invite, email: signUp.email }
        }
        referral={referral ?? undefined}
        redirectTo={redirectTo ?? undefined}
      />
    </PublicShell>
  );
}
