import type { MetaFunction } from '@remix-run/node';
import { Link, useLoaderData } from '@remix-run/react';
import { AuditTable, UserActions, UserFacts, UserSessions } from '#app/features/admin/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { listQueryOf, userDetail, offeredTo } from '#app/features/admin/users/user-pages.server.ts';
import { forAdmins } from '#app/platform/http/route-handlers.server.ts';
import { viewUser } from '#app/features/admin/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'User – Vialbook Admin' }];

export const loader = forAdmins(async ({ ctx, params, user, url }) => {
  const seen = await viewUser(ctx, params.id ?? '');
  return {
    detail: userDetail(seen, user.timeZone),
    changes: offeredTo(user, seen, ctx.isSelling),
    list: listQueryOf(url),
  };
});

/** One user. Every view is recorded in the audit trail. */
export default function User() {
  const { detail, changes, list } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle
        actions={
          <Link
            to={`/admin/dashboard/users${list && `?${list}`}`}
            className="inline-flex min-h-11 items-center"
          >
            All users
          </Link>
        }
      >
        {detail.email}
      </PageTitle>
      <div className="grid gap-4">
        <UserActions id={detail.id} changes={changes} list={list} />
        <UserFacts {...detail} />
        <UserSessions
          id={detail.id}
          sessions={detail.sessions}
          canEnd={changes.includes('sign-out')}
          list={list}
        />
        <section aria-labelledby="history">
          <h2 id="history" className="text-xl">
            Account history
          </h2>
          <AuditTable caption="Account history" rows={detail.history} />
          <Link
            to={`/admin/dashboard/audit?subject=${detail.id}`}
            className="inline-flex min-h-11 items-center"
          >
            Show all in the audit trail
          </Link>
        </section>
      </div>
    </>
  );
}
