import { createReadableStreamFromReadable } from '@remix-run/node';
import { getVialCardFile } from '#app/features/vials/index.server.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';

/** A vial's dose card as a PDF file. */
export const loader = forUsersFile(async ({ ctx, params }) => {
  const file = await getVialCardFile(ctx, params['id'] ?? '');
  return new Response(createReadableStreamFromReadable(file), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'attachment; filename="vialbook-dose-card.pdf"',
    },
  });
});
