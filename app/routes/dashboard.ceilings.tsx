import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { CeilingForm, CeilingList } from '#app/features/amounts/index.ts';
import { readCeilingsPage, submitCeilings } from '#app/features/amounts/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { PageTitle } from '#app/ui/page-head.tsx';

export const meta: MetaFunction = () => [{ title: 'Limits – Vialbook' }];

export const loader = forUsers(readCeilingsPage);

export const action = forUsers(submitCeilings);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** The most of each compound that its owner wants to take. */
export default function Ceilings() {
  const { ceilings, name, ceiling } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  const sentName = lastResult?.initialValue?.['name'];
  const shownName = typeof sentName === 'string' ? sentName : name;
  return (
    <>
      <PageTitle>Limits</PageTitle>
      <div className="grid max-w-3xl grid-cols-1 gap-5">
        <p className="text-soft">Set your own maximums. We’ll check before you log or plan more.</p>
        <CeilingList ceilings={ceilings} />
        <section aria-labelledby="set-title" className="sheet p-5">
          <h2 id="set-title">{shownName === '' ? 'Set limits' : `Limits for ${shownName}`}</h2>
          <CeilingForm
            key={`${shownName} ${JSON.stringify(ceiling)}`}
            name={shownName}
            ceiling={ceiling}
            from=""
            lastResult={lastResult}
          />
        </section>
      </div>
    </>
  );
}
