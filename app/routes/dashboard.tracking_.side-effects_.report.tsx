import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { EffectReport, TrackingPage } from '#app/features/tracking/index.ts';
import { readEffectReport } from '#app/features/tracking/side-effects/side-effect-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Side-effect report – Vialbook' }];

export const loader = forPremiumUsers(readEffectReport);

export default function SideEffectReportPage() {
  const report = useLoaderData<typeof loader>();
  return (
    <TrackingPage tab="side-effects" title="Side-effect report">
      <EffectReport {...report} />
    </TrackingPage>
  );
}
