import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import {
  AdherenceByCompound,
  AdherenceByWeek,
  DoseHeat,
  AnalyticsFilters,
  AnalyticsTabs,
  EffectsAgainstDoses,
  SiteRotation,
  LevelChart,
  NoHalfLife,
  MeasuredChart,
  PeriodFigures,
  Spend,
  StockChart,
} from '#app/features/analytics/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';
import { PERIODS } from '#app/domain/analytics/periods.ts';
import { readAnalytics } from '#app/features/analytics/pages.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { halfLifeFormSchema } from '#app/domain/analytics/half-lives.ts';
import { sentForm } from '#app/ui/forms/schema-form.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { setHalfLife } from '#app/features/analytics/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Analytics – Vialbook' }];

export const loader = forPremiumUsers(({ ctx, url }) => readAnalytics(ctx, url));

/** Saves the half-life and peak that a curve uses. */
export const action = forPremiumUsers(({ request, ctx, url }) =>
  submit(request, halfLifeFormSchema, async ({ intent: _, ...input }) => {
    await setHalfLife(ctx, input);
    return done(`/dashboard/analytics${url.search}`, 'Saved for your curves');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

function Nothing() {
  return (
    <EmptyState
      level={2}
      title="Nothing to show yet"
      drawing="chart"
      action={
        <LinkButton variant="primary" to="/dashboard/schedule">
          Go to the schedule
        </LinkButton>
      }
    >
      Log doses, side effects, measurements, injection sites or the cost of vials to see them here over time.
    </EmptyState>
  );
}

export default function Analytics() {
  const page = useLoaderData<typeof loader>();
  const refused = sentForm(useActionData<typeof action>()?.lastResult);
  const wrong = (name: string) => (refused?.values['name'] === name ? refused.errors : undefined);
  return (
    <>
      <PageTitle actions={<LinkButton to="/dashboard/analytics/report">Clinician report</LinkButton>}>
        Analytics
      </PageTitle>
      <AnalyticsTabs current="charts" />
      {page.figures ? <PeriodFigures {...page.figures} /> : null}
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
          <LevelChart key={level.name} level={level} search={page.search} errors={wrong(level.name)} />
        ))}
        {page.unknown.map((name) => (
          <NoHalfLife key={name} name={name} search={page.search} error={wrong(name)?.['hours']?.[0]} />
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
