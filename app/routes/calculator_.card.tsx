import { redirect, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { DoseCardView, NoDoseCard } from '#app/features/calculator/index.ts';
import { cardFileHref, readCardPage } from '#app/features/calculator/pages.server.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Dose card – Vialbook' }];

/** The card of a calculation, which is in the URL as it is in the calculator's. */
export const loader = forEveryone(({ url, ctx }) => {
  if (url.searchParams.get('format') === 'pdf') throw redirect(cardFileHref(url));
  return readCardPage(ctx, url.searchParams);
});

export default function Card() {
  const page = useLoaderData<typeof loader>();
  return page.card === null ? <NoDoseCard {...page} /> : <DoseCardView {...page} />;
}
