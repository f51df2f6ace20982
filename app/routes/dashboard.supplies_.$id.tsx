import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { supplyChangesSchema } from '#app/domain/supplies/supply-schema.ts';
import { supplyText } from '#app/domain/supplies/supply.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { SupplyChangesForm } from '#app/features/supplies/index.ts';
import { getSupply, updateSupply } from '#app/features/supplies/index.server.ts';
import { submit, done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { PageTitle } from '#app/ui/page-head.tsx';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.values.name ?? 'Supply'} – Vialbook` },
];

export const loader = forUsers(async ({ ctx, params }) => {
  const forecast = await getSupply(ctx, params['id'] ?? '');
  const { id, kind, name, perInjection, version, left } = forecast.supply;
  const text = supplyText(forecast, calendarDay(ctx.now(), ctx.timeZone));
  return { id, values: { kind, name, perInjection: String(perInjection) }, version, left, text };
});

export const action = forUsers(async ({ request, ctx, params }) => {
  const { supply } = await getSupply(ctx, params['id'] ?? '');
  return submit(request, supplyChangesSchema, async (input) => {
    await updateSupply(ctx, supply.id, input);
    return done('/dashboard/supplies', 'Supply saved');
  });
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function SupplyPage() {
  const { text, ...supply } = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.lastResult;
  return (
    <>
      <PageTitle>{supply.values.name}</PageTitle>
      <p>{text}</p>
      <SupplyChangesForm key={supply.version} {...supply} lastResult={lastResult} />
    </>
  );
}
