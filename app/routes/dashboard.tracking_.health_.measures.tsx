import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { OwnMeasures, TrackingPage } from '#app/features/tracking/index.ts';
import { isAppError, STATUS } from '#app/domain/errors.ts';
import { formText, readForm, done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { addMeasure, readMeasures, removeMeasure } from '#app/features/tracking/index.server.ts';

const HERE = '/dashboard/tracking/health/measures';

export const meta: MetaFunction = () => [{ title: 'Your measures – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => ({
  own: (await readMeasures(ctx)).own.map(({ key, name, metric }) => ({ key, name, unit: metric.unit })),
}));

export const action = forPremiumUsers(async ({ request, ctx }) => {
  const form = await readForm(request);
  if (formText(form, 'intent') === 'remove') {
    await removeMeasure(ctx, formText(form, 'key'));
    throw await done(HERE, 'Measure removed');
  }
  const sent = { name: formText(form, 'name'), unit: formText(form, 'unit') };
  try {
    await addMeasure(ctx, sent);
  } catch (error) {
    if (!isAppError(error) || !['INVALID_INPUT', 'CONFLICT'].includes(error.code)) throw error;
    const errors = { name: error.fields?.['name']?.[0], unit: error.fields?.['unit']?.[0] };
    const shown = error.fields ? errors : { name: error.message, unit: undefined };
    return data({ sent, errors: shown }, { status: STATUS[error.code] });
  }
  throw await done(HERE, 'Measure added');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function YourMeasures() {
  const { own } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <TrackingPage tab="health" title="Your measures">
      <OwnMeasures own={own} errors={sent?.errors ?? {}} sent={sent?.sent ?? { name: '', unit: '' }} />
    </TrackingPage>
  );
}
