import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readSiteEntryPage } from '#app/features/tracking/sites/site-pages.server.ts';
import { deleteSiteEntry } from '#app/features/tracking/index.server.ts';

const BACK = '/dashboard/tracking#history';

export const meta: MetaFunction = () => [{ title: 'Delete injection – Vialbook' }];

export const loader = forPremiumUsers(readSiteEntryPage);

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteSiteEntry(ctx, params.id ?? '');
  throw await done(BACK, 'Injection deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Asks before deleting an injection. */
export default function DeleteSiteEntry() {
  const { row, path } = useLoaderData<typeof loader>();
  return (
    <Confirmation title={`Delete ${row.site}, ${row.when}?`} action={path} yes="Delete" noHref={BACK}>
      <p>{row.facts.join(', ')}</p>
      <p>Deleting cannot be undone. The dose it belongs to is kept.</p>
    </Confirmation>
  );
}
