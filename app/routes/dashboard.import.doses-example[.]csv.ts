import { DOSE_EXAMPLE } from '#app/domain/records/type-names.ts';
import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';

/** The documented table of doses with two example lines. */
export const loader = forUsersFile(() =>
  Promise.resolve(
    new Response(DOSE_EXAMPLE, {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="vialbook-doses-example.csv"',
      },
    }),
  ),
);
