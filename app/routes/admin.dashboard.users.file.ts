import { createReadableStreamFromReadable } from '@remix-run/node';
import { forAdminsFile } from '#app/platform/http/route-handlers.server.ts';
import { prepareUsersFile } from '#app/features/admin/index.server.ts';

/** The list of users as CSV. */
export const loader = forAdminsFile(async ({ url, ctx }) => {
  const file = await prepareUsersFile(ctx, Object.fromEntries(url.searchParams));
  return new Response(createReadableStreamFromReadable(await file.open()), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file.fileName}"`,
    },
  });
});
