import { data, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { LadderPage } from '#app/features/calculator/index.ts';
import { ladderStatus, readLadderPage } from '#app/features/calculator/ladder-pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Water for several doses – Vialbook' }];

export const loader = forUsers(({ url, user }) => {
  const search = new URLSearchParams(url.search);
  // Only an empty form starts with the profile's unit.
  if (!search.has('dose') && !search.has('desiredDoseUnit')) search.set('desiredDoseUnit', user.doseUnit);
  const page = readLadderPage(search, {
    calculatorHref: '/dashboard/calculator',
    signedIn: true,
    syringes: user.syringes,
  });
  return data(page, { status: ladderStatus(page) });
});

export default function DashboardLadder() {
  return <LadderPage {...useLoaderData<typeof loader>()} />;
}
