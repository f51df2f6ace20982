import { isRouteErrorResponse, useRouteError } from '@remix-run/react';
import type { ReactNode } from 'react';
import { RESEARCH_NOTICE } from '#app/domain/calculator/reference-notices.ts';
import { DeletionBar, UnconfirmedEmail } from '#app/features/accounts/index.ts';
import { PastDueNotice } from '#app/features/billing/index.ts';
import { DemoBar } from '#app/features/demo/index.ts';
import { ProposalLink } from '#app/features/proposals/index.ts';
import { Bell, type BellData } from '#app/features/reminders/index.ts';
import { AnnouncementList, type AnnouncementView } from '#app/features/system/index.ts';
import { RouteErrorPage } from '#app/ui/errors/error-pages.tsx';
import { DashboardShell } from '#app/ui/shell/dashboard-shell.tsx';
import { useSite } from '#app/ui/site.ts';
import { dashboardEntries } from '#app/ui/shell/navigation.tsx';

/** The data of the frame around an account's pages. */
export interface FrameData {
  /** Whose data this browser may keep. */
  account: { userId: string; sessionId: string };
  email: string;
  premium: boolean;
  trialDaysLeft: number | null;
  isPastDue: boolean;
  isUnconfirmed: boolean;
  /** A demo, which ends at `deletedOn`. */
  isDemo: boolean;
  /** When the account will be deleted, as text; null when that is not planned. */
  deletedOn: string | null;
  announcements: AnnouncementView[];
  /** Number of proposed changes waiting for the account's owner. */
  proposals: number;
  /** Null for free users. */
  bell: BellData | null;
}

/** The bell, or what replaces it for users without reminders. */
function FrameBell({ bell, proposals }: Pick<FrameData, 'bell' | 'proposals'>) {
  if (bell !== null) return <Bell {...bell} proposals={proposals} />;
  return proposals > 0 ? <ProposalLink waiting={proposals} /> : null;
}

/** The frame of every page of an account, with notices that its owner must see everywhere. */
export function AccountFrame({ data, children }: { data: FrameData; children: ReactNode }) {
  const { email, premium, trialDaysLeft, isPastDue, isUnconfirmed, isDemo } = data;
  const { deletedOn, announcements, bell, proposals } = data;
  const { isSelling } = useSite();
  return (
    <DashboardShell
      email={email}
      premium={premium}
      trialDaysLeft={trialDaysLeft ?? undefined}
      entries={dashboardEntries(premium, isSelling)}
      notice={RESEARCH_NOTICE}
      bell={<FrameBell bell={bell} proposals={proposals} />}
    >
      <AnnouncementList announcements={announcements} />
      {isUnconfirmed ? <UnconfirmedEmail /> : null}
      {deletedOn && isDemo ? <DemoBar ends={deletedOn} /> : null}
      {deletedOn && !isDemo ? <DeletionBar at={deletedOn} /> : null}
      {isPastDue ? <PastDueNotice isPremium={premium} /> : null}
      {children}
    </DashboardShell>
  );
}

interface FrameErrorProps {
  /** The frame's data, if it could be loaded. */
  data: FrameData | undefined;
  /** The message of the error. */
  message: string | undefined;
}

/** Shows an error inside the frame, or without it when the frame's own data could not be loaded. */
export function AccountErrorPage({ data, message }: FrameErrorProps) {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const page = <RouteErrorPage status={status} message={message} error={error} framed={data !== undefined} />;
  return data ? <AccountFrame data={data}>{page}</AccountFrame> : page;
}
