import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { EffectList, EffectStats, TrackingPage } from '#app/features/tracking/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { readEffectList } from '#app/features/tracking/side-effects/side-effect-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Side effects – Vialbook' }];

export const loader = forPremiumUsers(readEffectList);

export default function SideEffectsPage() {
  const { rows, filter, pages, stats, byName } = useLoaderData<typeof loader>();
  const hasAny = stats.count !== '0';
  const actions = hasAny ? (
    <>
      <LinkButton to="/dashboard/tracking/side-effects/report" variant="plain">
        Report
      </LinkButton>
      <LinkButton to="/dashboard/tracking/side-effects/new" variant="primary">
        Log a side effect
      </LinkButton>
    </>
  ) : null;
  return (
    <TrackingPage tab="side-effects" title="Side effects" actions={actions}>
      <EffectList rows={rows} filter={filter} {...pages} />
      {hasAny ? <EffectStats stats={stats} byName={byName} /> : null}
    </TrackingPage>
  );
}
