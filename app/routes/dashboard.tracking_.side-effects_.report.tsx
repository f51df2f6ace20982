import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { EffectReport } from '#app/components/tracking/effects/effect-report.tsx';
import { TrackingPage } from '#app/components/tracking/tracking-page.tsx';
import { readEffectReport } from '#app/http/effect-page.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';

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
