import { useLoaderData } from '@remix-run/react';
import { BUILT_IN_FIGURES } from '#app/domain/site/built-in-figures.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { Sources } from '#app/features/site/index.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { publicMeta } from '#app/ui/public-meta.ts';

export const meta = publicMeta(
  '/sources',
  'Sources – Vialbook',
  'Every figure built into Vialbook, with its source, section and date.',
);

export const loader = forEveryone(({ ctx }) => ({
  signedIn: ctx.actor.kind === 'user',
  groups: BUILT_IN_FIGURES,
}));

export default function SourcesPage() {
  const { signedIn, groups } = useLoaderData<typeof loader>();
  return (
    <PublicShell notice={RESEARCH_NOTICE} signedIn={signedIn}>
      <Sources groups={groups} />
    </PublicShell>
  );
}
