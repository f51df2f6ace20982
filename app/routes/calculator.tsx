import { data, redirect } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { type SaveState, CalculatorScreen } from '#app/features/calculator/index.ts';
import { calculatorStatus, readCalculatorPage } from '#app/features/calculator/pages.server.ts';
import { ladderAddress } from '#app/features/calculator/ladder-pages.server.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { publicMeta } from '#app/ui/public-meta.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { syringesOf } from '#app/platform/access/context.server.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';

export const meta = publicMeta(
  '/calculator',
  'Reconstitution Calculator – Vialbook',
  'How much to draw: concentration, volume and syringe units for a reconstituted vial.',
);

/** The public calculator. The URL has everything, so a result can be bookmarked, shared and printed. */
export const loader = forEveryone(({ url, ctx }) => {
  const ladder = ladderAddress(url.pathname, url.searchParams);
  if (ladder !== null) throw redirect(ladder);
  const page = readCalculatorPage(url.pathname, url.searchParams, { syringes: syringesOf(ctx) });
  const signInHref = `/login?redirectTo=${encodeURIComponent(`/dashboard/calculator${url.search}`)}`;
  return data(
    { ...page, signedIn: ctx.actor.kind === 'user', signInHref },
    { status: calculatorStatus(page) },
  );
});

export default function PublicCalculator() {
  const { signedIn, signInHref, ...page } = useLoaderData<typeof loader>();
  const save: SaveState = signedIn
    ? { kind: 'offer', action: '/dashboard/calculator' }
    : { kind: 'signed-out', signInHref };
  return (
    <PublicShell notice={RESEARCH_NOTICE} signedIn={signedIn}>
      <PageTitle>Reconstitution Calculator</PageTitle>
      <CalculatorScreen {...page} save={save} vialHref={signedIn ? '/dashboard/vials/new' : undefined} />
    </PublicShell>
  );
}
