import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { MeasurementForm, TrackingPage } from '#app/features/tracking/index.ts';
import { measurementSchema } from '#app/domain/tracking/measurement-schema.ts';
import { cleared } from '#app/platform/http/empty-to-null.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { readMeasurementPage } from '#app/features/tracking/health/health-pages.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { formAgain, submitForm } from '#app/platform/http/forms.server.ts';
import { updateMeasurement } from '#app/features/tracking/index.server.ts';

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
