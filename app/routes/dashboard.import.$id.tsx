import { redirect, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ImportStep } from '#app/features/import/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { importView, refusedImport } from '#app/features/import/pages.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { applyImportSchema } from '#app/domain/import/import-schema.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { applyImport, getImport } from '#app/features/import/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Import – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, params }) => ({
  view: importView(ctx, user, await getImport(ctx, params.id ?? '')),
}));

/** Imports the checked file; sending the form twice imports it once. The page then shows what was added. */
export const action = forUsers(({ request, ctx, params }) =>
  submit(
    request,
    applyImportSchema,
    async (input) => redirect(`/dashboard/import/${(await applyImport(ctx, params.id ?? '', input)).id}`),
    refusedImport,
  ),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function OneImport() {
  const { view } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <>
      <PageTitle>Import</PageTitle>
      <ImportStep view={view} error={sent?.error} />
    </>
  );
}
