import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { LotSubPage, LotView } from '#app/features/lots/index.ts';
import { addLotPaper } from '#app/features/lots/index.server.ts';
import { readLotPage } from '#app/features/lots/pages.server.ts';
import { submitFile, done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Lot – Vialbook' }];

export const loader = forUsers(readLotPage);

export const action = forUsers(async ({ request, ctx, params }) => {
  const id = params['id'] ?? '';
  const refused = await submitFile(request, 'paper', (file) => addLotPaper(ctx, id, file));
  if (refused !== null) return refused;
  throw await done(`/dashboard/lots/${id}`, 'Document added');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** The page of the lot, with the error of a document that was refused. */
export default function AddLotPaper() {
  const { title, view } = useLoaderData<typeof loader>();
  const error = useActionData<typeof action>()?.error;
  return (
    <LotSubPage title={title} backHref="/dashboard/lots" backText="Back to lots">
      <LotView {...view} paperError={error} />
    </LotSubPage>
  );
}
