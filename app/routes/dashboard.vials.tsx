import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { VialList } from '#app/features/vials/index.ts';
import { vialRow } from '#app/domain/vials/vial-texts.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { listVials } from '#app/features/vials/index.server.ts';

const PATH = '/dashboard/vials';

export const meta: MetaFunction = () => [{ title: 'Vials – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, url }) => {
  const search = url.searchParams;
  const { items, day, page, next, previous, ...query } = await listVials(
    ctx,
    user.id,
    Object.fromEntries(search),
  );
  const turn = (cursor: string | null) =>
    cursor === null ? null : pageAddress(PATH, search, { cursor, page: null });
  return {
    rows: items.map((vial) => vialRow(vial, day)),
    query: { search: query.search, filter: query.filter, sort: query.sort },
    page,
    previousHref: turn(previous),
    nextHref: turn(next),
  };
});

/** The list of vials. */
export default function Vials() {
  const list = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle
        actions={
          list.rows.length > 0 ? (
            <span className="flex flex-wrap gap-3">
              <LinkButton to="/dashboard/lots">Lots</LinkButton>
              <LinkButton to="/dashboard/supplies">Supplies</LinkButton>
              <LinkButton variant="primary" to={`${PATH}/new`}>
                Add vial
              </LinkButton>
            </span>
          ) : undefined
        }
      >
        Vials
      </PageTitle>
      <VialList {...list} />
    </>
  );
}
