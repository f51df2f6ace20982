import { forAdminsFile } from '#app/platform/http/route-handlers.server.ts';
import { systemReport } from '#app/features/admin/index.server.ts';

/** Everything about the server as one file, for support. */
export const loader = forAdminsFile(async ({ ctx }) => {
  const report = await systemReport(ctx);
  const stamp = report.madeAt.toISOString().slice(0, 16).replace(/[:T]/g, '-');
  return new Response(`${JSON.stringify(report, null, 2)}\n`, {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="vialbook-system-${stamp}.json"`,
    },
  });
});
