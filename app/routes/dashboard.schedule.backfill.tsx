import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Backfill } from '#app/features/doses/index.ts';
import { ScheduleTabs } from '#app/features/schedules/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { submitBackfill, readBackfillPage, type BackfillReply } from '#app/features/doses/pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Log past days – Vialbook' }];

export const loader = forPremiumUsers(readBackfillPage);

export const action = forPremiumUsers(submitBackfill);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function BackfillPage() {
  const shown = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>() as BackfillReply | undefined;
  return (
    <>
      <PageTitle>Log past days</PageTitle>
      <ScheduleTabs current={null} />
      <Backfill
        {...shown}
        ticked={reply?.ticked ?? shown.ticked}
        warnings={reply?.warnings ?? []}
        error={reply?.error}
      />
    </>
  );
}
