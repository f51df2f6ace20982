import { data, redirect, type MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { ExportForm } from '#app/features/export/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { isAppError, type FieldErrors } from '#app/domain/errors.ts';
import { EXPORT_MESSAGES } from '#app/domain/export/export-schema.ts';
import {
  defaultExport,
  exportAddress,
  readExportFields,
  shownExport,
} from '#app/features/export/pages.server.ts';
import { readForm } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { prepareExport } from '#app/features/export/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Export – Vialbook' }];

export const loader = forUsers(({ ctx, user }) => ({
  values: defaultExport(ctx),
  premium: user.entitlement.isPremium,
}));

/** Checks the selection, then redirects to the URL of the file or of the print report. */
export const action = forUsers(async ({ request, ctx }) => {
  const form = await readForm(request);
  const values = shownExport(form, defaultExport(ctx));
  const input = readExportFields(form);
  const rejected = (errors: FieldErrors, formErrors: string[]) => {
    const tooMany = values.format === 'pdf' && errors['format'] !== undefined;
    const csvHref = tooMany
      ? exportAddress('/dashboard/export/file', { ...input, format: 'csv' })
      : undefined;
    return data({ values, errors, formErrors, csvHref }, { status: 400 });
  };
  try {
    const { totalRecords } = await prepareExport(ctx, input);
    if (totalRecords === 0) return rejected({}, [EXPORT_MESSAGES.noData]);
  } catch (error) {
    if (isAppError(error) && error.fields) return rejected(error.fields, []);
    throw error;
  }
  throw redirect(
    exportAddress(`/dashboard/export/${values.format === 'pdf' ? 'print' : 'file'}`, input),
    303,
  );
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ExportPage() {
  const { values, premium } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <>
      <PageTitle>Export</PageTitle>
      <div className="sheet max-w-2xl p-5">
        <ExportForm
          action="/dashboard/export?index"
          cancelHref="/dashboard/calculator"
          premium={premium}
          values={sent?.values ?? values}
          errors={sent?.errors}
          formErrors={sent?.formErrors}
          csvHref={sent?.csvHref}
        />
      </div>
      <p className="mt-6 max-w-2xl text-soft">
        Moving from another account, or restoring a file? <Link to="/dashboard/import">Import a file</Link>
      </p>
    </>
  );
}
