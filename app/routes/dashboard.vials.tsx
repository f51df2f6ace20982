import { VIAL_MESSAGES } from '#app/domain/vials/vial-fields.ts';
import { orFailed } from '#app/platform/http/failed-call.server.ts';
import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { StockTabs, VialList, VialRoomLine } from '#app/features/vials/index.ts';
import { vialRow } from '#app/domain/vials/vial-texts.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { getVialRoom, listVials } from '#app/features/vials/index.server.ts';

const PATH = '/dashboard/vials';

export const meta: MetaFunction = () => [{ title: 'Vials – Vialbook' }];

export const loader = forUsers(async ({ ctx, user, url }) => {
  const search = url.searchParams;
  const { items, day, page, next, previous, ...query } = await orFailed(ctx, VIAL_MESSAGES.failedToLoad, () =>
    listVials(ctx, user.id, Object.fromEntries(search)),
  );
  const turn = (cursor: string | null) =>
    cursor === null ? null : pageAddress(PATH, search, { cursor, page: null });
  return {
    rows: items.map((vial) => vialRow(vial, day)),
    room: await getVialRoom(ctx),
    query: { search: query.search, filter: query.filter, sort: query.sort },
    page,
    previousHref: turn(previous),
    nextHref: turn(next),
  };
});

/** The list of vials. */
export default function Vials() {
  const { room, ...list } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle
        actions={
          list.rows.length > 0 ? (
            <LinkButton variant="primary" to={`${PATH}/new`}>
              Add vial
            </LinkButton>
          ) : undefined
        }
      >
        Vials
      </PageTitle>
      <StockTabs current="vials" />
      <VialRoomLine room={room} />
      <VialList {...list} />
    </>
  );
}
