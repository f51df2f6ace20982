import { data, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ReportBody, ReportForm, ReportPage } from '#app/features/reports/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readReportPage, REPORT_PATH } from '#app/features/reports/pages.server.ts';

export const meta: MetaFunction = () => [{ title: 'Clinician report – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, url }) => {
  const page = await readReportPage(ctx, url);
  return data({ ...page, path: REPORT_PATH }, { status: page.report === null ? 400 : 200 });
});

export default function Report() {
  const { values, compounds, report, errors, query, path } = useLoaderData<typeof loader>();
  return (
    <ReportPage title="Clinician report" backHref="/dashboard/analytics" back="Back to analytics">
      <ReportForm values={values} compounds={compounds} errors={errors} />
      {report === null ? null : (
        <>
          <div className="no-print mt-4 flex flex-wrap gap-3">
            <LinkButton to={`${path}/print?${query}`}>Print</LinkButton>
            <a href={`${path}/file?${query}`} className="btn">
              Download PDF file
            </a>
            <LinkButton to={`${path}/shares?${query}`}>Share by link</LinkButton>
          </div>
          <ReportBody {...report} />
        </>
      )}
    </ReportPage>
  );
}
