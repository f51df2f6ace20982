import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { SiteForm, TrackingPage } from '#app/features/tracking/index.ts';
import { logSiteSchema, siteDetailsOf } from '#app/domain/tracking/injection-site-schema.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readSiteEntryPage } from '#app/features/tracking/sites/site-pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { updateSiteEntry } from '#app/features/tracking/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Edit injection – Vialbook' }];

export const loader = forPremiumUsers(readSiteEntryPage);

export const action = forPremiumUsers(({ request, ctx, params }) =>
  submit(request, logSiteSchema, async ({ saveKey: _, ...input }) => {
    // The form shows all fields: an empty one clears its value.
    await updateSiteEntry(ctx, params.id ?? '', { ...input, ...siteDetailsOf(input) });
    return done('/dashboard/tracking#history', 'Injection saved');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EditSiteEntry() {
  const { path, row: _, ...form } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <TrackingPage tab="sites" title="Edit injection">
      <div className="sheet p-4">
        <SiteForm action={path} {...form} lastResult={lastResult} />
      </div>
    </TrackingPage>
  );
}
