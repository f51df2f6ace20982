import type { MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { DoseAmount, TakeForm } from '#app/features/doses/index.ts';
import { readTakePage, submitTakeForm, type DoseReply } from '#app/features/doses/pages.server.ts';
import { scheduleHref } from '#app/features/schedules/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { Measured } from '#app/ui/figure.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';

export const meta: MetaFunction = () => [{ title: 'Log a dose as needed – Vialbook' }];

export const loader = forPremiumUsers(readTakePage);

export const action = forPremiumUsers(submitTakeForm);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function TakeAsNeeded() {
  const { line, scheduleId, ...shown } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>() as DoseReply | undefined;
  return (
    <>
      <PageTitle>{line.name}</PageTitle>
      <div className="dose-page">
        <div className="margin-rule grid gap-1 py-2 ps-6">
          <p className="text-xl">
            <DoseAmount text={line.amountText} />
            {line.drawText === null ? null : (
              <span className="figure dose-draw">
                {' · '}
                <Measured text={line.drawText} />
              </span>
            )}
          </p>
          <p>As needed</p>
          <p className="text-sm text-soft">{line.paceText}</p>
          {line.vialNote === null ? null : <p className="text-sm text-soft">{line.vialNote}</p>}
        </div>
        {line.readBack === null ? null : (
          <Notice title="Check this dose">
            <p>
              <Measured text={line.readBack} />
            </p>
          </Notice>
        )}
        <section className="sheet p-5" aria-label="Log this dose">
          <TakeForm
            {...shown}
            action={`${scheduleHref(scheduleId)}/take`}
            notes={null}
            warnings={reply?.warnings ?? shown.warnings}
            askedAmount={reply?.askedAmount ?? shown.askedAmount}
            isAsked={reply === undefined ? shown.isAsked : reply.isAsked === true}
            lastResult={reply?.lastResult}
          />
        </section>
        <p>
          <Link to="/dashboard/schedule" className="inline-flex min-h-11 items-center">
            Back to today
          </Link>
        </p>
      </div>
    </>
  );
}
