import { createReadableStreamFromReadable } from '@remix-run/node';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';
import { downloadData } from '#app/features/export/index.server.ts';

/** Everything stored about the owner as one file, streamed only as fast as the browser reads it. */
export const loader = forUsersFile(async ({ ctx }) => {
  const { fileName, open } = await downloadData(ctx);
  return new Response(createReadableStreamFromReadable(await open()), {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    },
  });
});
