import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { AdherenceByCompound, AdherenceByWeek, DoseHeat } from '#app/components/analytics/dose-charts.tsx';
import { AnalyticsFilters } from '#app/components/analytics/filters.tsx';
import { EffectsAgainstDoses, SiteRotation } from '#app/components/analytics/event-charts.tsx';
import { LevelChart, NoHalfLife } from '#app/components/analytics/level-chart.tsx';
import { MeasuredChart } from '#app/components/analytics/measured-chart.tsx';
import { Spend, StockChart } from '#app/components/analytics/money-charts.tsx';
import { LinkButton } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { PageTitle } from '#app/components/ui/page-title.tsx';
import { PERIODS } from '#app/domain/analytics/periods.ts';
import { readAnalytics } from '#app/http/analytics-page.server.ts';
import { done } from '#app/http/done.server.ts';
import { formText } from '#app/http/form.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { tryForm } from '#app/http/plain-form.server.ts';
import { setHalfLife } from '#app/services/levels.server.ts';

export const meta: MetaFunction = () => [{ title: 'Analytics – Vialbook' }];

export const loader = forPremiumUsers(({ ctx, url }) => readAnalytics(ctx, url));

/** Sets the half-life that a curve uses. */
export const action = forPremiumUsers(async ({ request, ctx, url }) => {
  const tried = await tryForm(request, (form) => {
    const hours = form.has('reset') ? '' : formText(form, 'hours');
    return setHalfLife(ctx, { name: formText(form, 'name'), ...(hours === '' ? {} : { hours }) });
  });
  if (!tried.ok) return tried.answer;
  throw await done(`/dashboard/analytics${url.search}`, 'Half-life set');
});

function Nothing() {
  return (
    <EmptyState
      level={2}
      title="Nothing to show yet"
      action={<LinkButton to="/dashboard/schedule">Go to the schedule</LinkButton>}
    >
      Log doses, side effects, measurements, sites or what vials cost, and this page shows them over time:
      adherence by week and compound, doses per day, side effects against doses, trends of what you measure,
      rotation, spend and relative levels.
    </EmptyState>
  );
}

export default function Analytics() {
  const page = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const wrong = (name: string) =>
    refused?.values['name'] === name ? refused.errors['hours']?.[0] : undefined;
  return (
    <>
      <PageTitle actions={<LinkButton to="/dashboard/analytics/report">Clinician report</LinkButton>}>
        Analytics
      </PageTitle>
      <AnalyticsFilters
        days={page.days}
        name={page.name}
        periods={PERIODS}
        names={page.names}
        measure={page.measure}
        measures={page.measures}
      />
      <div className="charts">
        {page.isEmpty ? <Nothing /> : null}
        {page.weeks.length > 0 ? (
          <>
            <AdherenceByWeek weeks={page.weeks} />
            <DoseHeat rows={page.heat} taken={page.taken} />
            <AdherenceByCompound compounds={page.compounds} />
          </>
        ) : null}
        {page.levels.map((level) => (
          <LevelChart key={level.name} level={level} search={page.search} error={wrong(level.name)} />
        ))}
        {page.unknown.map((name) => (
          <NoHalfLife key={name} name={name} search={page.search} error={wrong(name)} />
        ))}
        {page.hasEffects ? <EffectsAgainstDoses weeks={page.effects} comparison={page.comparison} /> : null}
        {page.measured.map((measured) => (
          <MeasuredChart key={measured.key} measured={measured} />
        ))}
        {page.sites.length > 0 ? <SiteRotation sites={page.sites} /> : null}
        {page.stock.length > 0 ? <StockChart stock={page.stock} /> : null}
        {page.spend.map((spend) => (
          <Spend key={spend.currency} spend={spend} />
        ))}
      </div>
    </>
  );
}
