import { withoutSessionFile } from '#app/platform/http/route-handlers.server.ts';
import { readCalendarFeed } from '#app/features/schedules/index.server.ts';

/** The live calendar: opened by calendar programs, by the secret in its address alone. */
export const loader = withoutSessionFile(async ({ request, ctx, params }) => {
  const { body, etag } = await readCalendarFeed(ctx, params.token ?? '');
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (request.headers.get('if-none-match')?.split(/,\s*/).includes(etag))
    return new Response(null, { status: 304, headers });
  return new Response(body, {
    headers: {
      ...headers,
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'inline; filename="vialbook.ics"',
    },
  });
});
