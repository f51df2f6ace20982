import { data, type MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PasteForm, TrackingPage } from '#app/features/tracking/index.ts';
import { isAppError } from '#app/domain/errors.ts';
import { done } from '#app/platform/http/toast.server.ts';
import { formText, readForm } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { checkCsv, importCsv, readMeasures } from '#app/features/tracking/index.server.ts';
import { plural } from '#app/domain/text/plural.ts';

export const meta: MetaFunction = () => [{ title: 'Paste measurements – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx }) => ({
  names: (await readMeasures(ctx)).metrics.map(({ key, name }) => (key.startsWith('own-') ? name : key)),
}));

/** Checks the table first; only the second button imports it. */
export const action = forPremiumUsers(async ({ request, ctx }) => {
  const form = await readForm(request);
  const [text, step] = [formText(form, 'text'), formText(form, 'step')];
  try {
    if (step !== 'import') {
      const { readings, bad } = await checkCsv(ctx, { text });
      return data({ text, error: undefined, check: { count: readings.length, bad } });
    }
    const added = await importCsv(ctx, { text });
    throw await done('/dashboard/tracking/health', `${plural(added, 'new value')} imported`);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'INVALID_INPUT') throw error;
    return data({ text: text.slice(0, 200_000), error: error.message, check: null }, { status: 400 });
  }
});

export default function PasteMeasurements() {
  const { names } = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return (
    <TrackingPage tab="health" title="Paste measurements">
      <PasteForm names={names} text={sent?.text ?? ''} error={sent?.error} check={sent?.check ?? null} />
    </TrackingPage>
  );
}
