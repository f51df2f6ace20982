import { redirect, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ReportPrintPage } from '#app/features/reports/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readReportPage, REPORT_PATH } from '#app/features/reports/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Clinician report – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, url }) => {
  const { report, query } = await readReportPage(ctx, url);
  // The errors of an invalid period are shown at the fields of the form.
  if (report === null) throw redirect(`${REPORT_PATH}?${query}`);
  return { report, fileHref: `${REPORT_PATH}/file?${query}`, backHref: `${REPORT_PATH}?${query}` };
});

export default function PrintReport() {
  return <ReportPrintPage {...useLoaderData<typeof loader>()} />;
}
