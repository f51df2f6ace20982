import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PrintReport } from '#app/features/export/index.ts';
import {
  exportAddress,
  readExportFields,
  MAX_PRINTED_ROWS,
  readPrintedSections,
} from '#app/features/export/pages.server.ts';
import { localDateTime, zoneName } from '#app/domain/time/zoned-time.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { prepareExport } from '#app/features/export/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Report – Vialbook' }];

export const loader = forUsers(async ({ url, ctx, user }) => {
  const input = { ...readExportFields(url.searchParams), format: 'pdf' as const };
  const prepared = await prepareExport(ctx, input);
  const { startDate, endDate } = prepared.request;
  return {
    sections: await readPrintedSections(user, prepared),
    metadata:
      prepared.metadata === null
        ? undefined
        : {
            ...prepared.metadata,
            exportDate: `${localDateTime(new Date(prepared.metadata.exportDate), prepared.timeZone)} (${zoneName(prepared.timeZone)})`,
          },
    period: startDate || endDate ? `${startDate ?? 'beginning'} to ${endDate ?? 'today'}` : 'Everything',
    fileHref: exportAddress('/dashboard/export/file', input),
    leftOut: Math.max(0, prepared.totalRecords - MAX_PRINTED_ROWS),
  };
});

/** The report that is printed; the same rows as a PDF file are one link away. */
export default function PrintPage() {
  return <PrintReport backHref="/dashboard/export" {...useLoaderData<typeof loader>()} />;
}
