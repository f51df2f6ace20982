import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { LotSubPage, LotView } from '#app/features/lots/index.ts';
import { readLotPage } from '#app/features/lots/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? 'Lot'} – Vialbook` },
];

export const loader = forUsers(readLotPage);

export default function Lot() {
  const { title, view } = useLoaderData<typeof loader>();
  return (
    <LotSubPage title={title} backHref="/dashboard/lots" backText="Back to lots">
      <LotView {...view} />
    </LotSubPage>
  );
}
