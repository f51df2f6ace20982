import {
  isRouteErrorResponse,
  Outlet,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import type { ReactNode } from 'react';
import { RouteErrorPage } from '#app/components/errors/index.ts';
import { DashboardShell, dashboardEntries } from '#app/components/shell/index.ts';
import { RESEARCH_NOTICE } from '#app/domain/reference/index.ts';
import { forUsers } from '#app/http/page.server.ts';
import { thrownMessage } from '#app/http/thrown-message.ts';

interface FrameData {
  email: string;
  premium: boolean;
  trialDaysLeft: number | null;
}

/** What the frame of all signed-in pages shows. Each page below asks for its own permission; this one only draws. */
export const loader = forUsers(({ user }): FrameData => ({
  email: user.email,
  premium: user.entitlement.isPremium,
  trialDaysLeft: user.entitlement.trialDaysLeft,
}));

function Frame({ data, children }: { data: FrameData; children: ReactNode }) {
  const { email, premium, trialDaysLeft } = data;
  return (
    <DashboardShell
      email={email}
      premium={premium}
      trialDaysLeft={trialDaysLeft ?? undefined}
      entries={dashboardEntries(premium)}
      notice={RESEARCH_NOTICE}
    >
      {children}
    </DashboardShell>
  );
}

export default function Dashboard() {
  return (
    <Frame data={useLoaderData<typeof loader>()}>
      <Outlet />
    </Frame>
  );
}

/** A page that fails leaves the frame standing; only when the frame itself has no data does the bare page show. */
export function ErrorBoundary() {
  const error = useRouteError();
  const data = useRouteLoaderData<typeof loader>('routes/dashboard');
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const page = <RouteErrorPage status={status} message={thrownMessage(error)} framed={data !== undefined} />;
  return data ? <Frame data={data}>{page}</Frame> : page;
}
