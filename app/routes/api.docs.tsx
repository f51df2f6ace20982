import { useLoaderData } from '@remix-run/react';
import { ApiDocsPage } from '#app/features/system/index.ts';
import { PublicShell } from '#app/ui/shell/public-shell.tsx';
import { publicMeta } from '#app/ui/public-meta.ts';
import { MAX_SEARCH_LENGTH } from '#app/domain/calculator/history.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';
import { currentDocument } from '#app/platform/api/route.server.ts';
import { apiContents, documentedCall } from '#app/platform/api/openapi/page.ts';
import { forEveryone } from '#app/platform/http/route-handlers.server.ts';

export const meta = publicMeta(
  '/api/docs',
  'API – Vialbook',
  'Every call of the Vialbook API with its fields and responses: calculations, vials, schedules, doses, tracking.',
);

/** The API documentation for people: `?call=` opens a call, `?q=` searches. */
export const loader = forEveryone(({ ctx, url: { searchParams } }) => {
  const document = currentDocument(OPERATIONS);
  const search = (searchParams.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH);
  return {
    signedIn: ctx.actor.kind === 'user',
    contents: apiContents(document, search),
    open: documentedCall(document, searchParams.get('call') ?? ''),
    search,
  };
});

export default function ApiDocs() {
  const { signedIn, ...docs } = useLoaderData<typeof loader>();
  return (
    <PublicShell notice={RESEARCH_NOTICE} signedIn={signedIn}>
      <ApiDocsPage {...docs} />
    </PublicShell>
  );
}
