import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { DashboardCalculator } from '#app/features/calculator/index.ts';
import { readDashboardCalculator, saveFromForm } from '#app/features/calculator/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Reconstitution Calculator – Vialbook' }];

export const loader = forUsers(readDashboardCalculator);

export const action = forUsers(saveFromForm);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function CalculatorPage() {
  const loaded = useLoaderData<typeof loader>();
  const sent = useActionData<typeof action>();
  return <DashboardCalculator {...loaded} {...sent} />;
}
