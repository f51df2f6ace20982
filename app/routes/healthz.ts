import { withoutPage } from '#app/platform/http/route-handlers.server.ts';

/** Liveness: the process answers. Says nothing about the database. */
export const loader = withoutPage(
  () =>
    new Response('ok\n', {
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    }),
);
