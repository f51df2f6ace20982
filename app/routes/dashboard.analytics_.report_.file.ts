import { createReadableStreamFromReadable } from '@remix-run/node';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';
import { reportFields } from '#app/features/reports/pages.server.ts';
import { clinicianReport, usualPeriod, writeReportPdf } from '#app/features/reports/index.server.ts';

/** The report as a PDF file. */
export const loader = forUsersFile(async ({ url, ctx, user }) => {
  const fields = reportFields(url.searchParams) ?? usualPeriod(ctx);
  const { report, request } = await clinicianReport(ctx, fields);
  return new Response(createReadableStreamFromReadable(writeReportPdf(report, user.id, ctx.now())), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="vialbook-report-${request.start}-${request.end}.pdf"`,
    },
  });
});
