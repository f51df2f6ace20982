import { useLoaderData } from '@remix-run/react';
import { Terms } from '#app/features/site/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { publicMeta } from '#app/ui/public-meta.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';

export const meta = publicMeta(
  '/terms',
  'Terms of Service – Vialbook',
  'What you can expect from Vialbook, and what it expects from you. Research reference only, 18 and over.',
);

export const loader = forEveryone(({ ctx }) => ({ signedIn: ctx.actor.kind === 'user' }));

export default function TermsPage() {
  const { signedIn } = useLoaderData<typeof loader>();
  return (
    <PublicShell notice={RESEARCH_NOTICE} signedIn={signedIn}>
      <Terms />
    </PublicShell>
  );
}
