import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { TakeTogether } from '#app/features/doses/index.ts';
import {
  readTogetherPage,
  submitTogetherForm,
  type TogetherReply,
} from '#app/features/doses/pages.server.ts';
import { ScheduleTabs } from '#app/features/schedules/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';

export const meta: MetaFunction = () => [{ title: 'Take all – Vialbook' }];

export const loader = forPremiumUsers(readTogetherPage);

export const action = forPremiumUsers(submitTogetherForm);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function TakeAll() {
  const { rows, path } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>() as TogetherReply | null | undefined;
  const [first] = rows;
  return (
    <>
      <PageTitle>{first === undefined ? 'Take all' : `Doses at ${first.time}`}</PageTitle>
      <ScheduleTabs current="today" />
      <div className="dose-page">
        {reply?.error === undefined ? null : (
          <Notice tone="error" role="alert">
            <p className="font-semibold">{reply.error}</p>
          </Notice>
        )}
        {first === undefined ? (
          <EmptyState
            level={2}
            title="Nothing to log"
            drawing="done"
            action={<LinkButton to="/dashboard/schedule">Back to today</LinkButton>}
          >
            The doses of this time are logged, or none were planned.
          </EmptyState>
        ) : (
          <div className="sheet">
            <TakeTogether
              rows={rows}
              action={path}
              isDue
              {...(reply && { ticked: reply.ids, takenAt: reply.takenAt, questions: reply.questions })}
            />
          </div>
        )}
      </div>
    </>
  );
}
