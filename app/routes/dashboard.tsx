import {
  isRouteErrorResponse,
  Outlet,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import type { ReactNode } from 'react';
import { AnnouncementList, type AnnouncementView } from '#app/features/system/index.ts';
import { RouteErrorPage } from '#app/ui/errors/route-error-page.tsx';
import { Bell, type BellData } from '#app/features/reminders/index.ts';
import { DashboardShell } from '#app/ui/shell/dashboard-shell.tsx';
import { dashboardEntries } from '#app/ui/shell/nav-entries.ts';
import { DeletionBar, UnconfirmedEmail } from '#app/features/accounts/index.ts';
import { findDeletion } from '#app/features/accounts/index.server.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { PastDueNotice } from '#app/features/billing/index.ts';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { getBellView } from '#app/features/reminders/index.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { thrownMessage } from '#app/platform/http/route-error-message.ts';
import { shownAnnouncements } from '#app/features/system/index.server.ts';

interface FrameData {
  /** Whose data this browser may keep. */
  account: { userId: string; sessionId: string };
  email: string;
  premium: boolean;
  trialDaysLeft: number | null;
  isPastDue: boolean;
  isUnconfirmed: boolean;
  /** When the account will be deleted, as text; null when that is not planned. */
  deletedOn: string | null;
  announcements: AnnouncementView[];
  /** Null for free users. */
  bell: BellData | null;
}

/** What the frame of all signed-in pages shows. Each page below asks for its own permission; this one only draws. */
export const loader = forUsers(async ({ ctx, user }): Promise<FrameData> => ({
  account: { userId: user.id, sessionId: user.sessionId },
  email: user.email,
  premium: user.entitlement.isPremium,
  trialDaysLeft: user.entitlement.trialDaysLeft,
  isPastDue: user.entitlement.status === 'past_due',
  isUnconfirmed: !user.hasConfirmedEmail,
  deletedOn: await deletionText(ctx),
  announcements: (await shownAnnouncements(ctx)).map(({ id, title, text, isDismissible }) => ({
    id,
    title,
    text,
    isDismissible,
  })),
  bell: user.entitlement.isPremium ? await getBellView(ctx, user.timeZone) : null,
}));

async function deletionText(ctx: Ctx): Promise<string | null> {
  const at = await findDeletion(ctx);
  return at && shownInstant(at, ctx.timeZone);
}

function Frame({ data, children }: { data: FrameData; children: ReactNode }) {
  const { email, premium, trialDaysLeft, isPastDue, isUnconfirmed, deletedOn, announcements, bell } = data;
  return (
    <DashboardShell
      email={email}
      premium={premium}
      trialDaysLeft={trialDaysLeft ?? undefined}
      entries={dashboardEntries(premium)}
      notice={RESEARCH_NOTICE}
      bell={bell && <Bell {...bell} />}
    >
      <AnnouncementList announcements={announcements} />
      {isUnconfirmed ? <UnconfirmedEmail /> : null}
      {deletedOn ? <DeletionBar at={deletedOn} /> : null}
      {isPastDue ? <PastDueNotice isPremium={premium} /> : null}
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

/**
 * A page that fails leaves the frame standing; only when the frame itself has no data does the bare page show.
 * @param props.routeId the route whose loader is the frame's
 */
export function FrameErrorPage({ routeId }: { routeId: string }) {
  const error = useRouteError();
  const data = useRouteLoaderData<typeof loader>(routeId);
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const page = (
    <RouteErrorPage
      status={status}
      message={thrownMessage(error)}
      error={error}
      framed={data !== undefined}
    />
  );
  return data ? <Frame data={data}>{page}</Frame> : page;
}

export function ErrorBoundary() {
  return <FrameErrorPage routeId="routes/dashboard" />;
}
