import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData, type ShouldRevalidateFunction } from '@remix-run/react';
import { NO_ANSWER } from '#app/ui/connection/client-action.ts';
import { unconfirmed } from '#app/domain/doses/dose-warnings.ts';
import { BeforeDrawing, ShowDraw, DoseQuestion } from '#app/features/doses/index.ts';
import { submitInjectionForm, changedDraws, type DoseReply } from '#app/features/doses/pages.server.ts';
import { InjectionForm, NextSite, SiteHistory, TrackingPage } from '#app/features/tracking/index.ts';
import { DoseOfField } from '#app/features/amounts/index.ts';
import { readSitePage } from '#app/features/tracking/sites/site-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Injection sites – Vialbook' }];

export const loader = forPremiumUsers(async (args) => {
  const [page, changes] = await Promise.all([readSitePage(args), changedDraws(args.ctx)]);
  return { ...page, changes };
});

export const action = forPremiumUsers(submitInjectionForm);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** A preview of what to draw saves nothing, so the form that is being filled in stays as it is. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ formData, actionStatus }) =>
  formData?.get('intent') !== 'preview' && actionStatus !== NO_ANSWER;

export default function SitesPage() {
  const { suggestion, rows, pages, changes, ...form } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>() as DoseReply | undefined;
  const warnings = unconfirmed(reply?.warnings ?? [], []);
  return (
    <TrackingPage tab="sites" title="Injection sites">
      {suggestion ? <NextSite {...suggestion} /> : null}
      <div className="sheet p-4">
        <InjectionForm
          key={form.saveKey}
          action="/dashboard/tracking"
          {...form}
          before={<BeforeDrawing drawText={reply?.drawText} readBack={reply?.readBack} changes={changes} />}
          doseOf={(field, chosen) => <DoseOfField {...field} blends={form.blends} chosen={chosen} />}
          showDraw={<ShowDraw />}
          question={
            warnings.length > 0
              ? (buttons) => (
                  <DoseQuestion
                    warnings={warnings}
                    askedAmount={reply?.askedAmount}
                    isAsked={reply?.isAsked === true}
                    controls={{ amount: 'dose', unit: 'doseUnit' }}
                    more={<ShowDraw />}
                    instead={buttons}
                  />
                )
              : null
          }
          lastResult={reply?.lastResult}
        />
      </div>
      <SiteHistory rows={rows} {...pages} />
    </TrackingPage>
  );
}
