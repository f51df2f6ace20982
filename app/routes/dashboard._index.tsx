import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { DashboardCalculator } from '#app/features/calculator/index.ts';
import { readDashboardCalculator } from '#app/features/calculator/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Reconstitution Calculator – Vialbook' }];

/** The dashboard opens with the calculator, whose forms lead to its own address. */
export const loader = forUsers(readDashboardCalculator);

export default function DashboardHome() {
  return <DashboardCalculator {...useLoaderData<typeof loader>()} />;
}
