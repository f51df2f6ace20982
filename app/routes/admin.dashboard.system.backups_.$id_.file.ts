import { createReadableStreamFromReadable } from '@remix-run/node';
import { forAdminsFile } from '#app/platform/http/route-handlers.server.ts';
import { openBackup } from '#app/features/system/index.server.ts';

/** A backup's file, for super admins. */
export const loader = forAdminsFile(async ({ ctx, params }) => {
  const { fileName, open } = await openBackup(ctx, params.id ?? '');
  return new Response(createReadableStreamFromReadable(open()), {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    },
  });
});
