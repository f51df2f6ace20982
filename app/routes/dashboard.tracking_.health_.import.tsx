import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PasteForm, TrackingPage } from '#app/features/tracking/index.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { savePastedTable } from '#app/features/tracking/health/health-pages.server.ts';
import { readMeasures } from '#app/features/tracking/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Paste measurements – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => ({
  names: (await readMeasures(ctx)).metrics.map(({ key, name }) => (key.startsWith('own-') ? name : key)),
}));

export const action = forPremiumUsers(savePastedTable);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function PasteMeasurements() {
  const { names } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <TrackingPage tab="health" title="Paste measurements">
      <PasteForm names={names} lastResult={sent?.lastResult} check={sent?.check ?? null} />
    </TrackingPage>
  );
}
