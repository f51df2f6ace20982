import { createReadableStreamFromReadable } from '@remix-run/node';
import { readExportFields } from '#app/features/export/pages.server.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';
import { prepareExport } from '#app/features/export/index.server.ts';

/** The file of an export, read from the database only as fast as it is downloaded. */
export const loader = forUsersFile(async ({ url, ctx }) => {
  const prepared = await prepareExport(ctx, readExportFields(url.searchParams));
  return new Response(createReadableStreamFromReadable(await prepared.open()), {
    headers: {
      'Content-Type': prepared.contentType,
      'Content-Disposition': `attachment; filename="${prepared.fileName}"`,
    },
  });
});
