import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { LogList, SystemPage } from '#app/features/admin/index.ts';
import { Pagination } from '#app/ui/list-controls.tsx';
import { logViews } from '#app/features/admin/system/system-pages.server.ts';
import { queryOf, pageAddress } from '#app/platform/http/addresses.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { listLogs, type LogPage } from '#app/features/admin/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Logs – Vialbook Admin' }];

type Level = LogPage['lines'][number]['level'];

export const loader = forAdmins(async ({ ctx, user, url }) => {
  const { level, search = '', before } = queryOf(url, 'level', 'search', 'before');
  const page = await listLogs(ctx, { level: (level || undefined) as Level | undefined, search, before });
  const to = (place: string | null) => pageAddress(url.pathname, url.searchParams, { before: place });
  return {
    lines: logViews(page, user.timeZone),
    level: level ?? '',
    search,
    newest: before === undefined ? undefined : to(null),
    older: page.next === null ? undefined : to(page.next),
  };
});

export default function AdminLogs() {
  const { lines, level, search, newest, older } = useLoaderData<typeof loader>();
  return (
    <SystemPage tab="logs" title="Logs">
      <LogList lines={lines} level={level} search={search} isFiltered={level !== '' || search !== ''} />
      <Pagination label="Logs" previousHref={newest} nextHref={older} />
    </SystemPage>
  );
}
