import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ReportPage, ShareForm, ShareSecret, ShareList } from '#app/features/reports/index.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { reportShareSchema } from '#app/domain/reports/report-schema.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { submit } from '#app/platform/http/forms.server.ts';
import { reportFields, shareLine } from '#app/features/reports/pages.server.ts';
import {
  reportCompounds,
  usualPeriod,
  listReportShares,
  shareReport,
} from '#app/features/reports/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Report links – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, user, url }) => {
  const fields = reportFields(url.searchParams) ?? { ...usualPeriod(ctx), compound: '', notes: '' };
  return {
    shares: (await listReportShares(ctx)).map((share) => shareLine(share, user.timeZone)),
    compounds: await reportCompounds(ctx),
    values: { ...fields, notes: fields.notes === 'on', days: '7', label: '' },
  };
});

/** The link is in the response itself and not after a redirect, because it is shown only once. */
export const action = forPremiumUsers(({ request, ctx, user }) =>
  submit(request, reportShareSchema, async (input) => {
    const { secret, share } = await shareReport(ctx, input);
    const until = shownInstant(share.expiresAt, user.timeZone);
    return { made: { address: `${ctx.appUrl}/share/${secret}`, until } };
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

/** A form that was sent without a field had it empty. */
const EMPTY = { start: '', end: '', compound: '', days: '', label: '' };

export default function ReportShares() {
  const { shares, compounds, values } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const refused = answer && 'lastResult' in answer ? sentForm(answer.lastResult) : undefined;
  const sent = refused && { ...EMPTY, ...refused.values, notes: refused.values['notes'] === 'on' };
  return (
    <ReportPage title="Report links" backHref="/dashboard/analytics/report" back="Back to the report">
      {answer && 'made' in answer ? (
        <ShareSecret {...answer.made} />
      ) : (
        <>
          <ShareList shares={shares} />
          <section className="sheet mt-6 p-5">
            <h2 className="mb-4">Create a link</h2>
            <ShareForm
              values={sent ?? values}
              compounds={compounds}
              errors={refused?.errors ?? {}}
              formErrors={refused?.formErrors ?? []}
            />
          </section>
        </>
      )}
    </ReportPage>
  );
}
