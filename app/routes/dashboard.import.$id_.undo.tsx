import { redirect, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { countsText } from '#app/domain/records/type-names.ts';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { importLine } from '#app/features/import/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getImport, undoImport } from '#app/features/import/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Undo import – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, params }) => ({
  one: importLine(ctx, user, await getImport(ctx, params.id ?? '')),
}));

export const action = forUsers(async ({ ctx, params }) => {
  const id = params.id ?? '';
  await undoImport(ctx, id);
  throw redirect(`/dashboard/import/${id}`);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function UndoImport() {
  const { id, fileName, at, added } = useLoaderData<typeof loader>().one;
  const page = `/dashboard/import/${id}`;
  return (
    <Confirmation title="Undo this import?" action={`${page}/undo`} yes="Undo import" noHref={page}>
      <p className="break-words font-semibold">{fileName ?? 'Unnamed file'}</p>
      <p className="text-soft">{`${at}. Added ${countsText(added) ?? 'nothing'}.`}</p>
      <p className="text-soft">
        This removes what the import added. Records you have changed since, and everything you had before,
        will be kept.
      </p>
    </Confirmation>
  );
}
