import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { MarginSection } from '#app/ui/margin-section.tsx';
import { CreateLink, ReferralLink, ShareText, ReferralLedger } from '#app/features/referrals/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { EMAIL_NOT_CONFIRMED } from '#app/domain/accounts/account.ts';
import { dayText } from '#app/domain/mail/letter.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getReferrals, createReferralCode, referralQr } from '#app/features/referrals/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Referrals – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => {
  const { invitation, ledger, totals, creditUntil } = await getReferrals(ctx);
  const shown = (at: Date) => dayText({ at, timeZone: user.timeZone });
  return {
    isConfirmed: user.hasConfirmedEmail,
    invitation: invitation && { ...invitation, qr: referralQr(invitation) },
    totals,
    creditUntil: creditUntil && shown(creditUntil),
    rows: ledger.map(({ since, standing, changedAt }, index) => ({
      key: String(index),
      since: shown(since),
      standing,
      changed: changedAt && shown(changedAt),
    })),
  };
});

/** Only accounts created at the terminal need this; all others get their code at registration. */
export const action = forUsers(async ({ ctx }) => {
  await createReferralCode(ctx);
  throw await done('/dashboard/referrals', 'Here is your link');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Referrals() {
  const { isConfirmed, invitation, rows, totals, creditUntil } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle>Referrals</PageTitle>
      <p className="mb-4 max-w-prose">
        When someone registers with your link and makes their first payment, you both get 30 days of Premium.
        If that payment is refunded, you both lose them.
      </p>
      <MarginSection id="link" title="Your link">
        {invitation ? (
          <ReferralLink {...invitation} />
        ) : isConfirmed ? (
          <CreateLink />
        ) : (
          <p>{EMAIL_NOT_CONFIRMED}</p>
        )}
      </MarginSection>
      {invitation ? (
        <MarginSection id="share" title="Text to share">
          <ShareText text={invitation.shareText} />
        </MarginSection>
      ) : null}
      <MarginSection id="ledger" title="Your referrals">
        <ReferralLedger rows={rows} totals={totals} creditUntil={creditUntil} />
      </MarginSection>
    </>
  );
}
