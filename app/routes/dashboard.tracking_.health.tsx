import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { MeasurementList, QuickEntry, TrendSection, TrackingPage } from '#app/features/tracking/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { readHealthPage, saveQuickEntry } from '#app/features/tracking/health/health-pages.server.ts';
import { sentText } from '#app/ui/forms/schema-form.tsx';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Health – Vialbook' }];

export const loader = forPremiumUsers(readHealthPage);

export const action = forPremiumUsers(saveQuickEntry);

export { clientAction } from '#app/ui/connection/client-action.ts';

const ACTIONS = (
  <>
    <LinkButton to="/dashboard/tracking/health/measures" variant="plain">
      Your measures
    </LinkButton>
    <LinkButton to="/dashboard/tracking/health/import" variant="plain">
      Paste a table
    </LinkButton>
  </>
);

export default function HealthPage() {
  const { measures, measuredAt, saveKey, trend, items, pages } = useLoaderData<typeof loader>();
  const { lastResult, askedPressure } = useActionData<typeof action>() ?? {};
  const errors = lastResult?.error ?? {};
  const typed = lastResult?.initialValue?.['value'] as Record<string, string> | undefined;
  const fields = measures.map(({ key, ...measure }) => ({
    ...measure,
    key,
    value: typed?.[key],
    error: [key, `value.${key}`, `values.${key}`].flatMap((name) => errors[name] ?? [])[0],
  }));
  return (
    <TrackingPage tab="health" title="Health" actions={ACTIONS}>
      <div className="sheet p-4">
        <QuickEntry
          key={saveKey}
          measures={fields}
          measuredAt={lastResult ? sentText(lastResult, 'measuredAt') : measuredAt}
          measuredAtError={errors['measuredAt']?.[0]}
          saveKey={saveKey}
          errors={errors[''] ?? undefined}
          askedPressure={askedPressure}
        />
      </div>
      {trend ? <TrendSection {...trend} /> : null}
      <MeasurementList items={items} {...pages} />
    </TrackingPage>
  );
}
