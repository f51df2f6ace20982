import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { plural } from '#app/domain/text/plural.ts';
import { LotDoses, LotSubPage } from '#app/features/lots/index.ts';
import { readLotDoses } from '#app/features/lots/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? 'Lot'} – Vialbook` },
];

export const loader = forUsers(readLotDoses);

/** The doses that came from a lot. */
export default function DosesOfLot() {
  const { id, title, product, total, doses } = useLoaderData<typeof loader>();
  return (
    <LotSubPage title={title} backHref={`/dashboard/lots/${id}`} backText="Back to the lot">
      <p>{`${plural(total, 'dose')} of ${product}. Doses from deleted vials are included; undone ones aren’t.`}</p>
      <LotDoses {...doses} />
    </LotSubPage>
  );
}
