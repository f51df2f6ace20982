import { createReadableStreamFromReadable } from '@remix-run/node';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';
import { reportFields } from '#app/features/reports/pages.server.ts';
import { prepareReportFile, usualPeriod } from '#app/features/reports/index.server.ts';

/** The report as a PDF file. */
export const loader = forUsersFile(async ({ url, ctx }) => {
  const { fileName, open } = await prepareReportFile(ctx, reportFields(url.searchParams) ?? usualPeriod(ctx));
  return new Response(createReadableStreamFromReadable(await open()), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    },
  });
});
