import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { SHARES_PATH } from '#app/features/reports/index.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { shareLine } from '#app/features/reports/pages.server.ts';
import { getReportShare, revokeReportShare } from '#app/features/reports/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Revoke link – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, params }) =>
  shareLine(await getReportShare(ctx, params['id'] ?? ''), user.timeZone),
);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await revokeReportShare(ctx, params['id'] ?? '');
  throw await done(SHARES_PATH, 'Link revoked');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function RevokeShare() {
  const { id, title, about, times } = useLoaderData<typeof loader>();
  return (
    <Confirmation
      title="Revoke this link?"
      action={`${SHARES_PATH}/${id}/revoke`}
      yes="Revoke link"
      noHref={SHARES_PATH}
    >
      <p className="break-words font-semibold">{title}</p>
      <p className="text-soft">{`${about}. ${times}`}</p>
      <p className="text-soft">Anyone with the link loses access immediately.</p>
    </Confirmation>
  );
}
