import { data, redirect, type MetaFunction } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { ExportForm } from '#app/features/export/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { EXPORT_MESSAGES, exportFormSchema } from '#app/domain/export/export-schema.ts';
import { defaultExport, exportAddress, shownExport } from '#app/features/export/pages.server.ts';
import { submit, type LastResult } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { prepareExport } from '#app/features/export/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Export – Vialbook' }];

export const loader = forUsers(({ ctx, user }) => ({
  values: defaultExport(ctx),
  premium: user.entitlement.isPremium,
}));

/** Checks the selection, then redirects to the URL of the file or of the print report. */
export const action = forUsers(({ request, ctx }) => {
  const refused = (lastResult: LastResult, init: ResponseInit) => {
    const values = shownExport(lastResult.initialValue ?? {}, defaultExport(ctx));
    const isTooMany = values.format === 'pdf' && lastResult.error?.['format'] !== undefined;
    const csv = { ...values, format: 'csv' as const };
    const csvHref = isTooMany ? exportAddress('/dashboard/export/file', csv) : undefined;
    return data({ lastResult, values, csvHref }, init);
  };
  return submit(
    request,
    exportFormSchema,
    async (input, reply) => {
      const { totalRecords } = await prepareExport(ctx, input);
      if (totalRecords === 0)
        return refused(reply({ formErrors: [EXPORT_MESSAGES.noData] }), { status: 400 });
      const page = input.format === 'pdf' ? 'print' : 'file';
      return redirect(exportAddress(`/dashboard/export/${page}`, input), 303);
    },
    { refused },
  );
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function ExportPage() {
  const { values, premium } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  const errors = sent?.lastResult.error;
  return (
    <>
      <PageTitle>Export</PageTitle>
      <div className="sheet max-w-2xl p-5">
        <ExportForm
          action="/dashboard/export?index"
          cancelHref="/dashboard/calculator"
          premium={premium}
          values={sent?.values ?? values}
          errors={errors ?? undefined}
          formErrors={errors?.[''] ?? undefined}
          csvHref={sent?.csvHref}
        />
      </div>
      <p className="mt-6 max-w-2xl text-soft">
        Moving from another account, or restoring a file? <Link to="/dashboard/import">Import a file</Link>
      </p>
    </>
  );
}
