import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { AnsweredProposals, WaitingProposals } from '#app/features/proposals/index.ts';
import { answerProposals, readProposalsPage } from '#app/features/proposals/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';

export const meta: MetaFunction = () => [{ title: 'Proposals – Vialbook' }];

export const loader = forUsers((args) => readProposalsPage(args, () => OPERATIONS));

export const action = forUsers((args) => answerProposals(args, () => OPERATIONS));

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Changes proposed by programs, for the owner to accept or decline. */
export default function Proposals() {
  const { waiting, answered, previous, next } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>();
  return (
    <>
      <PageTitle>Proposals</PageTitle>
      <div className="grid max-w-3xl grid-cols-1 gap-6">
        <p className="text-soft">
          Changes that assistants and other programs propose with your API tokens. Nothing changes until you
          accept a proposal here. A proposal expires after seven days.
        </p>
        <WaitingProposals waiting={waiting} refusal={refusal} />
        <Pagination label="Proposals" previousHref={previous ?? undefined} nextHref={next ?? undefined} />
        <AnsweredProposals answered={answered} />
      </div>
    </>
  );
}
