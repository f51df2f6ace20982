import { redirect, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { DoseCardView } from '#app/features/calculator/index.ts';
import { readVialCard } from '#app/features/vials/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Dose card – Vialbook' }];

/** A vial's printable dose card, without the dashboard's navigation. */
export const loader = forUsers(({ url, ctx, params }) => {
  if (url.searchParams.get('format') === 'pdf') throw redirect(`${url.pathname}/file`);
  return readVialCard(ctx, params['id'] ?? '');
});

export default function Card() {
  return <DoseCardView {...useLoaderData<typeof loader>()} />;
}
