import { data, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { DashboardCalculator } from '#app/features/calculator/index.ts';
import { readDashboardCalculator } from '#app/features/calculator/pages.server.ts';
import { FirstSteps, FirstStepsLine } from '#app/features/site/index.ts';
import { readFirstSteps } from '#app/features/site/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Reconstitution Calculator – Vialbook' }];

/** The dashboard opens with the calculator, whose forms lead to its own address, and with what a new account can begin with. */
export const loader = forUsers(async (page) => {
  const [calculator, firstSteps] = await Promise.all([readDashboardCalculator(page), readFirstSteps(page)]);
  return data({ ...calculator.data, firstSteps }, calculator.init ?? undefined);
});

export default function DashboardHome() {
  const { firstSteps, ...calculator } = useLoaderData<typeof loader>();
  return (
    <>
      {firstSteps ? <FirstStepsLine /> : null}
      <DashboardCalculator {...calculator} />
      {firstSteps ? <FirstSteps view={firstSteps} /> : null}
    </>
  );
}
