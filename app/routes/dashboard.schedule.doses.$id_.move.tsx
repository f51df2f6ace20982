import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { MoveForm } from '#app/features/doses/index.ts';
import { readMovePage, submitMove } from '#app/features/doses/pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { PageTitle } from '#app/ui/page-head.tsx';

export const meta: MetaFunction = () => [{ title: 'Move a dose – Vialbook' }];

export const loader = forPremiumUsers(readMovePage);

export const action = forPremiumUsers(submitMove);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function MoveDose() {
  const shown = useLoaderData<typeof loader>();
  const errors = useActionData<typeof action>()?.lastResult.error;
  const refused = Object.values(errors ?? {}).flat()[0];
  return (
    <>
      <PageTitle>{`Move ${shown.line.name}`}</PageTitle>
      <MoveForm {...shown} problem={refused ?? shown.problem} />
    </>
  );
}
