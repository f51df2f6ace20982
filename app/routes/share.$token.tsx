import { data, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ShareOver, SharedReportPage } from '#app/features/reports/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { noShare } from '#app/domain/reports/report-share.ts';
import { orWhenNotFound, forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { openSharedReport } from '#app/features/reports/index.server.ts';

export const meta: MetaFunction = () => [
  { title: 'Clinician report – Vialbook' },
  { name: 'robots', content: 'noindex, nofollow' },
];

const over = () => data({ shared: null, message: noShare().message }, { status: 404 });

/** The headers for referrer, caching and robots are set with all other headers. */
export const loader = forEveryone(({ ctx, params }) =>
  orWhenNotFound(
    async () => data({ shared: await openSharedReport(ctx, params['token'] ?? ''), message: '' }),
    over,
  ),
);

export default function Share() {
  const { shared, message } = useLoaderData<typeof loader>();
  return (
    <PublicShell notice={RESEARCH_NOTICE}>
      {shared === null ? <ShareOver message={message} /> : <SharedReportPage {...shared} />}
    </PublicShell>
  );
}
