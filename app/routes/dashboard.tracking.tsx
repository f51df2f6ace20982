import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { NextSite, SiteForm, SiteHistory, TrackingPage } from '#app/features/tracking/index.ts';
import { logSiteSchema } from '#app/domain/tracking/injection-site-schema.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { readSitePage } from '#app/features/tracking/sites/site-pages.server.ts';
import { formAgain, submitForm } from '#app/platform/http/forms.server.ts';
import { logSite } from '#app/features/tracking/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Injection sites – Vialbook' }];

export const loader = forPremiumUsers(readSitePage);

export const action = forPremiumUsers(async ({ request, ctx }) => {
  const submitted = await submitForm(request, logSiteSchema, (input) => logSite(ctx, input));
  if (!submitted.ok) return formAgain(submitted);
  throw await done('/dashboard/tracking', 'Injection logged');
});

export default function SitesPage() {
  const { suggestion, rows, pages, ...form } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <TrackingPage tab="sites" title="Injection sites">
      {suggestion ? <NextSite {...suggestion} /> : null}
      <div className="sheet p-4">
        <SiteForm
          key={form.saveKey}
          action="/dashboard/tracking"
          label="Log injection"
          {...form}
          lastResult={lastResult}
        />
      </div>
      <SiteHistory rows={rows} {...pages} />
    </TrackingPage>
  );
}
