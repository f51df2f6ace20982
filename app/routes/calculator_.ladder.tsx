import { data } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { LadderPage } from '#app/features/calculator/index.ts';
import { ladderStatus, readLadderPage } from '#app/features/calculator/ladder-pages.server.ts';
import { syringesOf } from '#app/platform/access/context.server.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { publicMeta } from '#app/ui/public-meta.ts';

export const meta = publicMeta(
  '/calculator/ladder',
  'Water for several doses – Vialbook',
  'The water that puts every dose of a titration on a printed mark of the syringe.',
);

export const loader = forEveryone(({ url, ctx }) => {
  const signedIn = ctx.actor.kind === 'user';
  const page = readLadderPage(url.searchParams, {
    calculatorHref: '/calculator',
    signedIn,
    syringes: syringesOf(ctx),
  });
  return data({ page, signedIn }, { status: ladderStatus(page) });
});

export default function PublicLadder() {
  const { page, signedIn } = useLoaderData<typeof loader>();
  return (
    <PublicShell notice={RESEARCH_NOTICE} signedIn={signedIn}>
      <LadderPage {...page} />
    </PublicShell>
  );
}
