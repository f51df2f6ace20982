import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { LotList } from '#app/features/lots/index.ts';
import { StockTabs } from '#app/features/vials/index.ts';
import { readLotList } from '#app/features/lots/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';

export const meta: MetaFunction = () => [{ title: 'Lots – Vialbook' }];

export const loader = forUsers(readLotList);

export default function Lots() {
  const list = useLoaderData<typeof loader>();
  const add = (
    <LinkButton variant="primary" to="/dashboard/lots/new">
      Add lot
    </LinkButton>
  );
  return (
    <>
      <PageTitle actions={list.rows.length > 0 ? add : undefined}>Lots</PageTitle>
      <StockTabs current="lots" />
      <LotList {...list} />
    </>
  );
}
