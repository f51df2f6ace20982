import { data, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { DashboardCalculator } from '#app/features/calculator/index.ts';
import { NextDose } from '#app/features/doses/index.ts';
import { findNextDose } from '#app/features/doses/index.server.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { readDashboardCalculator } from '#app/features/calculator/pages.server.ts';
import { FirstSteps, FirstStepsLine } from '#app/features/site/index.ts';
import { readFirstSteps } from '#app/features/site/pages.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Reconstitution Calculator – Vialbook' }];

/**
 * The dashboard opens with the calculator, whose forms lead to its own address, with the next dose above it, and with what a
 * new account can begin with.
 */
export const loader = forUsers(async (page) => {
  const { ctx, user } = page;
  const [calculator, firstSteps, nextDose] = await Promise.all([
    readDashboardCalculator(page),
    readFirstSteps(page),
    user.entitlement.isPremium ? findNextDose(ctx) : null,
  ]);
  const today = calendarDay(ctx.now(), ctx.timeZone);
  return data({ ...calculator.data, firstSteps, nextDose, today }, calculator.init ?? undefined);
});

export default function DashboardHome() {
  const { firstSteps, nextDose, today, ...calculator } = useLoaderData<typeof loader>();
  return (
    <>
      {nextDose ? <NextDose line={nextDose} today={today} /> : null}
      {firstSteps ? <FirstStepsLine /> : null}
      <DashboardCalculator {...calculator} />
      {firstSteps ? <FirstSteps view={firstSteps} /> : null}
    </>
  );
}
