import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { MeasurementForm } from '#app/components/tracking/health/measurement-form.tsx';
import { TrackingPage } from '#app/components/tracking/tracking-page.tsx';
import { measurementSchema } from '#app/domain/schemas/health.ts';
import { cleared } from '#app/http/cleared.ts';
import { done } from '#app/http/done.server.ts';
import { readMeasurementPage } from '#app/http/health-page.server.ts';
import { forPremiumUsers } from '#app/http/page.server.ts';
import { formAgain, submitForm } from '#app/http/submit-form.server.ts';
import { updateMeasurement } from '#app/services/measurements.server.ts';

const formSchema = measurementSchema.pick({ value: true, measuredAt: true, notes: true });

export const meta: MetaFunction = () => [{ title: 'Edit measurement – Vialbook' }];

export const loader = forPremiumUsers(readMeasurementPage);

export const action = forPremiumUsers(async ({ request, ctx, params }) => {
  const submitted = await submitForm(request, formSchema, (input) =>
    updateMeasurement(ctx, params.id ?? '', cleared(input, ['notes'])),
  );
  if (!submitted.ok) return formAgain(submitted);
  throw await done('/dashboard/tracking/health#measurements', 'Measurement saved');
});

export default function EditMeasurement() {
  const { path, item, unit, values } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <TrackingPage tab="health" title="Edit measurement">
      <MeasurementForm action={path} name={item.name} unit={unit} values={values} lastResult={lastResult} />
    </TrackingPage>
  );
}
