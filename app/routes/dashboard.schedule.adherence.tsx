import { data, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { AdherenceReport } from '#app/features/doses/index.ts';
import { AnalyticsTabs } from '#app/features/analytics/index.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { isAppError } from '#app/domain/errors.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { getAdherence } from '#app/features/doses/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Adherence – Vialbook' }];

/** An invalid period shows the default period, with the message at its field. */
export const loader = forPremiumUsers(async ({ ctx, url }) => {
  const param = (name: string) => url.searchParams.get(name) || undefined;
  try {
    const report = await getAdherence(ctx, { startDate: param('from'), endDate: param('to') });
    return data({ ...report, errors: undefined });
  } catch (error) {
    if (!isAppError(error) || !error.fields) throw error;
    const { startDate, endDate } = error.fields;
    const errors = { from: startDate?.[0], to: endDate?.[0] };
    return data({ ...(await getAdherence(ctx)), errors }, { status: 400 });
  }
});

export default function AdherencePage() {
  const report = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle>Adherence</PageTitle>
      <AnalyticsTabs current="adherence" />
      <AdherenceReport {...report} />
    </>
  );
}
