import { useLoaderData } from '@remix-run/react';
import { Privacy } from '#app/features/site/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { publicMeta } from '#app/ui/public-meta.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { storedLines } from '#app/domain/site/stored-data.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';

export const meta = publicMeta(
  '/privacy',
  'Privacy Policy – Vialbook',
  'What Vialbook stores about you, why and for how long, and how to download or delete it.',
);

export const loader = forEveryone(({ ctx }) => ({
  signedIn: ctx.actor.kind === 'user',
  stored: storedLines(ctx.isSelling),
}));

export default function PrivacyPage() {
  const { signedIn, stored } = useLoaderData<typeof loader>();
  return (
    <PublicShell notice={RESEARCH_NOTICE} signedIn={signedIn}>
      <Privacy stored={stored} />
    </PublicShell>
  );
}
