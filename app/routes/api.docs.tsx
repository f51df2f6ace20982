import { useLoaderData } from '@remix-run/react';
import { ApiDocsPage } from '#app/features/system/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { publicMeta } from '#app/ui/public-meta.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';
import { currentDocument } from '#app/platform/api/route.server.ts';
import { documentationOf } from '#app/platform/api/openapi/page.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';

export const meta = publicMeta(
  '/api/docs',
  'API – Vialbook',
  'Every call of the Vialbook API with its fields and responses: calculations, vials, schedules, doses, tracking.',
);

/** The API documentation for people. */
export const loader = forEveryone(({ ctx }) => ({
  signedIn: ctx.actor.kind === 'user',
  documentation: documentationOf(currentDocument(OPERATIONS)),
}));

export default function ApiDocs() {
  const { signedIn, documentation } = useLoaderData<typeof loader>();
  return (
    <PublicShell notice={RESEARCH_NOTICE} signedIn={signedIn}>
      <ApiDocsPage documentation={documentation} />
    </PublicShell>
  );
}
