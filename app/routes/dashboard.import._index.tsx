import { redirect, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ImportFormats, ImportList, UploadForm } from '#app/features/import/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { importFileSchema } from '#app/domain/import/import-schema.ts';
import { importLine, refusedImport } from '#app/features/import/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { listImports, prepareImport } from '#app/features/import/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Import – Vialbook' }];

export const loader = forUsers(async ({ ctx, user }) => ({
  imports: (await listImports(ctx)).items.map((record) => importLine(ctx, user, record)),
}));

/** Checks the file and redirects to a preview of what it would import. */
export const action = forUsers(({ request, ctx }) =>
  submit(request, importFileSchema, async ({ file: id }) => redirect(`/dashboard/import/${id}`), {
    ...refusedImport,
    upload: { field: 'file', take: async (file) => (await prepareImport(ctx, file)).id },
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ImportPage() {
  const { imports } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <>
      <PageTitle>Import</PageTitle>
      <div className="sheet max-w-2xl p-5">
        <UploadForm error={sent?.error} />
      </div>
      <ImportList imports={imports} />
      <ImportFormats />
      <p className="mt-6">
        <LinkButton to="/dashboard/export">Export instead</LinkButton>
      </p>
    </>
  );
}
