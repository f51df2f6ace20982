import type { MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { UserFilterForm, UserTable } from '#app/features/admin/index.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';
import { listUsersSchema } from '#app/domain/admin/admin-schema.ts';
import { cursorPages, listedRow } from '#app/features/admin/users/user-pages.server.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { listUsers } from '#app/features/admin/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Users – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, url, user }) => {
  const query = Object.fromEntries(url.searchParams);
  const { search, subscription, status, role, sort, active } = listUsersSchema.parse(query);
  const page = await listUsers(ctx, query);
  return {
    filter: { search, subscription, status, role, sort },
    isActive: active === '30',
    canInvite: ctx.signUp === 'invite',
    rows: page.users.map((listed) => listedRow(user, listed, ctx.isSelling)),
    order: page.order,
    isCut: page.isCut,
    list: url.searchParams.toString(),
    fileHref: pageAddress('/admin/dashboard/users/file', url.searchParams, { cursor: null, page: null }),
    ...cursorPages(url, page),
  };
});

export default function Users() {
  const { filter, isActive, canInvite, rows, list, order, isCut, fileHref, nextHref, previousHref } =
    useLoaderData<typeof loader>();
  const file = (
    <>
      {canInvite ? <LinkButton to="/admin/dashboard/users/invite">Invite</LinkButton> : null}
      <LinkButton to={fileHref} reloadDocument>
        Export CSV
      </LinkButton>
    </>
  );
  return (
    <>
      <PageTitle actions={file}>Users</PageTitle>
      <UserFilterForm {...filter} />
      <p className="py-2 text-sm text-soft">
        {isActive
          ? `Active in the last 30 days, ${order}.`
          : `${order.charAt(0).toUpperCase()}${order.slice(1)}.`}{' '}
        {isCut
          ? 'Only the first 5,000 accounts in this order were searched. “Next” continues the search.'
          : null}
      </p>
      {rows.length > 0 ? (
        <UserTable rows={rows.map((row) => ({ ...row, list }))} />
      ) : (
        <EmptyState
          title={isCut ? 'No matches so far' : 'No matches'}
          level={2}
          action={<Link to="/admin/dashboard/users">Show all users</Link>}
        >
          No account matches this search and these filters.
        </EmptyState>
      )}
      <Pagination label="Users" previousHref={previousHref} nextHref={nextHref} />
    </>
  );
}
