import type { MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { AuditFilterForm, AuditTable } from '#app/features/admin/index.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';
import { listAuditSchema } from '#app/domain/admin/admin-schema.ts';
import { auditRow, cursorPages } from '#app/features/admin/users/user-pages.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { listAudit } from '#app/features/admin/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Audit – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, url, user }) => {
  const query = Object.fromEntries(url.searchParams);
  const { actor, subject, action, startDate = '', endDate = '' } = listAuditSchema.parse(query);
  const page = await listAudit(ctx, query);
  return {
    filter: { actor, subject, action, startDate, endDate },
    rows: page.entries.map((entry) => auditRow(entry, user.timeZone)),
    isCut: page.isCut,
    ...cursorPages(url, page),
  };
});

export default function Audit() {
  const { filter, rows, isCut, nextHref, previousHref } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle>Audit</PageTitle>
      <p className="max-w-prose text-soft">
        Every change to an account, and every time an administrator viewed one. Entries cannot be changed or
        deleted.
      </p>
      <AuditFilterForm {...filter} />
      {isCut ? (
        <p className="py-2 text-sm text-soft">
          Only the newest 5,000 entries were searched. “Next” continues the search.
        </p>
      ) : null}
      {rows.length > 0 ? (
        <AuditTable caption="Audit trail" rows={rows} />
      ) : (
        <EmptyState
          title="No entries"
          level={2}
          action={<Link to="/admin/dashboard/audit">Show all entries</Link>}
        >
          Nothing matches these filters.
        </EmptyState>
      )}
      <Pagination label="Audit trail" previousHref={previousHref} nextHref={nextHref} />
    </>
  );
}
