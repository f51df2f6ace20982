import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { MeasurementForm, TrackingPage } from '#app/features/tracking/index.ts';
import { readMeasurementPage, saveMeasurement } from '#app/features/tracking/health/health-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Edit measurement – Vialbook' }];

export const loader = forPremiumUsers(readMeasurementPage);

export const action = forPremiumUsers(saveMeasurement);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function EditMeasurement() {
  const { path, item, unit, values } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <TrackingPage tab="health" title="Edit measurement">
      <MeasurementForm
        action={path}
        name={item.name}
        unit={unit}
        values={values}
        lastResult={sent?.lastResult}
        askedPressure={sent?.askedPressure}
      />
    </TrackingPage>
  );
}
