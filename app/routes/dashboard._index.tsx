import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { DashboardCalculator } from '#app/components/dashboard/dashboard-calculator.tsx';
import { readDashboardCalculator } from '#app/http/dashboard-calculator.server.ts';
import { forUsers } from '#app/http/page.server.ts';

export const meta: MetaFunction = () => [{ title: 'Reconstitution Calculator – Vialbook' }];

/** The dashboard opens with the calculator, whose forms lead to its own address. */
export const loader = forUsers(readDashboardCalculator);

export default function DashboardHome() {
  return <DashboardCalculator {...useLoaderData<typeof loader>()} />;
}
