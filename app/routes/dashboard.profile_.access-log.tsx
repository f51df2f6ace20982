import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AccessLogTable, ProfileTitle } from '#app/features/accounts/index.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { readAccessLog } from '#app/features/accounts/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Access log – Vialbook' }];

export const loader = forUsers(async ({ ctx, url, user }) => {
  const { entries, next } = await readAccessLog(ctx, url.searchParams.get('after'));
  const rows = entries.map(({ at, ...entry }) => ({ ...entry, when: shownInstant(at, user.timeZone) }));
  return { rows, nextHref: next && `${url.pathname}?after=${next}`, isFirst: !url.searchParams.has('after') };
});

export default function AccessLog() {
  const { rows, nextHref, isFirst } = useLoaderData<typeof loader>();
  return (
    <>
      <ProfileTitle above="your-data">Access log</ProfileTitle>
      <p className="mb-4 max-w-prose text-soft">
        Every change to your account, and every time an administrator viewed it. Nobody can change or remove
        these entries.
      </p>
      {rows.length > 0 ? (
        <AccessLogTable rows={rows} />
      ) : (
        <EmptyState title="Nothing yet" level={2}>
          Changes to your account will be listed here.
        </EmptyState>
      )}
      <Pagination
        label="Access log"
        previousHref={isFirst ? undefined : '/dashboard/profile/access-log'}
        nextHref={nextHref ?? undefined}
      />
    </>
  );
}
