import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteLotDocument, readLotDocument } from '#app/features/lots/index.server.ts';

const pageOf = (id = '') => `/dashboard/lots/${id}`;

export const meta: MetaFunction = () => [{ title: 'Delete document – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params, url }) => {
  const { fileName } = await readLotDocument(ctx, params.id ?? '', params.paperId ?? '');
  return { fileName, action: url.pathname, back: pageOf(params.id) };
});

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteLotDocument(ctx, params.id ?? '', params.paperId ?? '');
  throw await done(pageOf(params.id), 'Document deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Confirms deleting a document. */
export default function DeleteLotDocument() {
  const { fileName, action: path, back } = useLoaderData<typeof loader>();
  return (
    <Confirmation title="Delete this document?" action={path} yes="Delete" noHref={back}>
      <p className="wrap-anywhere">{fileName}</p>
      <p>This cannot be undone.</p>
    </Confirmation>
  );
}
