import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { WarningsToConfirm } from '#app/features/doses/index.ts';
import { submitInjectionForm } from '#app/features/doses/injection-pages.server.ts';
import type { DoseReply } from '#app/features/doses/pages.server.ts';
import { InjectionForm, NextSite, SiteHistory, TrackingPage } from '#app/features/tracking/index.ts';
import { readSitePage } from '#app/features/tracking/sites/site-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Injection sites – Vialbook' }];

export const loader = forPremiumUsers(readSitePage);

export const action = forPremiumUsers(submitInjectionForm);

export default function SitesPage() {
  const { suggestion, rows, pages, ...form } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>() as DoseReply | undefined;
  const warnings = reply?.warnings ?? [];
  return (
    <TrackingPage tab="sites" title="Injection sites">
      {suggestion ? <NextSite {...suggestion} /> : null}
      <div className="sheet p-4">
        <InjectionForm
          key={form.saveKey}
          action="/dashboard/tracking"
          {...form}
          question={
            warnings.length > 0 ? (
              <WarningsToConfirm warnings={warnings} askedAmount={reply?.askedAmount} />
            ) : null
          }
          lastResult={reply?.lastResult}
        />
      </div>
      <SiteHistory rows={rows} {...pages} />
    </TrackingPage>
  );
}
