import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { BeforeDrawing, LogForm } from '#app/features/doses/index.ts';
import { ScheduleTabs } from '#app/features/schedules/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { readLogPage, submitLogForm, type DoseReply } from '#app/features/doses/pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Log a dose – Vialbook' }];

export const loader = forPremiumUsers(readLogPage);

export const action = forPremiumUsers(submitLogForm);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function LogDosePage() {
  const { changes, ...shown } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>() as DoseReply | undefined;
  return (
    <>
      <PageTitle>Log a dose</PageTitle>
      <ScheduleTabs current={null} />
      <div className="dose-page">
        <p className="text-soft">
          Log a dose that isn’t part of a schedule. It is drawn from your vials, and you can undo it.
        </p>
        <div className="sheet p-5">
          <LogForm
            {...shown}
            before={<BeforeDrawing drawText={reply?.drawText} readBack={reply?.readBack} changes={changes} />}
            warnings={reply?.warnings ?? []}
            askedAmount={reply?.askedAmount}
            isAsked={reply?.isAsked === true}
            lastResult={reply?.lastResult}
          />
        </div>
      </div>
    </>
  );
}
