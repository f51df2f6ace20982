import { createReadableStreamFromReadable } from '@remix-run/node';
import { readCardFile } from '#app/features/calculator/pages.server.ts';
import { forEveryoneFile } from '#app/platform/http/route-handlers.server.ts';

/** The card of a calculation as a PDF file. */
export const loader = forEveryoneFile(async ({ url, ctx }) => {
  const file = await readCardFile(ctx, url.searchParams);
  return new Response(createReadableStreamFromReadable(file), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': 'attachment; filename="vialbook-dose-card.pdf"',
    },
  });
});
