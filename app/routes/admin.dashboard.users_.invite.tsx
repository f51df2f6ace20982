import { data, type MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { InvitationLink, InviteForm } from '#app/features/admin/index.ts';
import { inviteSchema } from '#app/domain/accounts/account-schema.ts';
import { invite, openInvitations } from '#app/features/accounts/index.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { PageTitle } from '#app/ui/page-head.tsx';

export const meta: MetaFunction = () => [{ title: 'Invite – Vialbook Admin' }];

export const loader = forAdmins(({ ctx }) => {
  openInvitations(ctx);
  return null;
});

/** The response itself shows the link: only its hash is stored, so no later page could. */
export const action = forAdmins(({ request, ctx }) => {
  openInvitations(ctx);
  return submit(request, inviteSchema, async (input) => data({ made: await invite(ctx, input) }));
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function Invite() {
  const answer = useActionData<typeof action>();
  return (
    <>
      <PageTitle>Invite</PageTitle>
      {answer && 'made' in answer ? (
        <InvitationLink {...answer.made} />
      ) : (
        <InviteForm lastResult={answer?.lastResult} />
      )}
    </>
  );
}
