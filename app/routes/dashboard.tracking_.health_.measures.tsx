import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { OwnMeasures, TrackingPage } from '#app/features/tracking/index.ts';
import { ownMetricFormSchema } from '#app/domain/tracking/measurements.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { addMeasure, readMeasures, removeMeasure } from '#app/features/tracking/index.server.ts';

const HERE = '/dashboard/tracking/health/measures';

export const meta: MetaFunction = () => [{ title: 'Your measures – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => ({
  own: (await readMeasures(ctx)).own.map(({ key, name, metric }) => ({ key, name, unit: metric.unit })),
}));

export const action = forPremiumUsers(({ request, ctx }) =>
  submit(request, ownMetricFormSchema, async (input) => {
    if (input.intent === 'remove') {
      await removeMeasure(ctx, input.key);
      return done(HERE, 'Measure removed');
    }
    const { name, unit } = input;
    await addMeasure(ctx, { name, unit });
    return done(HERE, 'Measure added');
  }),
);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function YourMeasures() {
  const { own } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <TrackingPage tab="health" title="Your measures">
      <OwnMeasures own={own} lastResult={lastResult} />
    </TrackingPage>
  );
}
