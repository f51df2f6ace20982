import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { LotSubPage, LotView } from '#app/features/lots/index.ts';
import { addLotDocument } from '#app/features/lots/index.server.ts';
import { readLotPage } from '#app/features/lots/pages.server.ts';
import { sentFile, submit, done } from '#app/platform/http/forms.server.ts';
import { documentFormSchema } from '#app/domain/forms/upload-schema.ts';
import { firstError } from '#app/ui/error-summary.tsx';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Lot – Vialbook' }];

export const loader = forUsers(readLotPage);

export const action = forUsers(({ request, ctx, params }) =>
  submit(request, documentFormSchema, async ({ paper }) => {
    const id = params['id'] ?? '';
    await addLotDocument(ctx, id, await sentFile(paper));
    return done(`/dashboard/lots/${id}`, 'Document added');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** The page of the lot, with the error of a document that was refused. */
export default function AddLotDocument() {
  const { title, view } = useLoaderData<typeof loader>();
  const error = firstError(useActionData<typeof action>()?.lastResult);
  return (
    <LotSubPage title={title} backHref="/dashboard/lots" backText="Back to lots">
      <LotView {...view} documentError={error} />
    </LotSubPage>
  );
}
