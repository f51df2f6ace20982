import { Form, Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Brand, MAIN_ID, ResearchLine, SkipLink } from './page-frame.tsx';
import { BottomBar, Sidebar, type NavEntry } from './navigation.tsx';

interface AccountHeaderProps {
  email: string;
  premium: boolean;
  /** Whole days; only during a trial. */
  trialDaysLeft?: number | null;
  exportHref?: string;
  signOutAction?: string;
  /** The reminder bell; hidden for free users. */
  bell?: ReactNode;
}

/** The text of the link from a running trial to the plans. */
export function trialText(days: number): string {
  return `Trial: ${days} ${days === 1 ? 'day' : 'days'} left`;
}

function PlanLink({ premium, trialDaysLeft }: Pick<AccountHeaderProps, 'premium' | 'trialDaysLeft'>) {
  const plain = 'inline-flex min-h-11 items-center text-sm whitespace-nowrap font-semibold sm:text-base';
  if (typeof trialDaysLeft === 'number') {
    return (
      <Link to="/upgrade" className={plain}>
        {trialText(trialDaysLeft)}
      </Link>
    );
  }
  if (premium) return null;
  return (
    <Link to="/upgrade" className={plain}>
      Upgrade to Pro
    </Link>
  );
}

/** Two lines on a phone, one on a wide page; nothing is hidden in a menu. */
function AccountHeader({
  email,
  premium,
  trialDaysLeft,
  exportHref = '/dashboard/export',
  signOutAction = '/logout',
  bell,
}: AccountHeaderProps) {
  return (
    <header className="account-header no-print border-b border-line bg-sheet">
      <div className="relative mx-auto flex max-w-7xl flex-wrap items-center gap-x-1.5 px-4 sm:gap-x-3 lg:flex-nowrap">
        <Brand to="/dashboard" />
        <Badge tone={premium ? 'pen' : 'soft'}>{premium ? 'Pro' : 'Free'}</Badge>
        <div className="order-1 ms-auto -me-2 flex items-center lg:order-2 lg:ms-0">
          <LinkButton to={exportHref} variant="plain" className="px-1.5 text-sm sm:px-2 sm:text-base">
            <span className="hidden sm:inline">
              <Icon name="download" size={18} />
            </span>
            Export
          </LinkButton>
          <Form method="post" action={signOutAction}>
            <Button variant="plain" className="px-1.5 text-sm whitespace-nowrap sm:px-2 sm:text-base">
              Sign out
            </Button>
          </Form>
        </div>
        <div className="order-2 flex w-full min-w-0 items-center gap-2 border-t max-[17.5rem]:flex-wrap sm:gap-4 border-line lg:order-1 lg:ms-auto lg:w-auto lg:border-0">
          <p className="min-h-11 min-w-0 flex-1 truncate leading-11 text-soft">{`Welcome, ${email}`}</p>
          <PlanLink premium={premium} trialDaysLeft={trialDaysLeft} />
          {bell}
        </div>
      </div>
    </header>
  );
}

interface DashboardShellProps extends AccountHeaderProps {
  entries: readonly NavEntry[];
  /** The research-only / 18+ line. */
  notice: string;
  toasts?: ReactNode;
  children: ReactNode;
}

/** The frame of every signed-in page. */
export function DashboardShell({ entries, notice, toasts, children, ...account }: DashboardShellProps) {
  const bar = entries.length > 1;
  return (
    <div className={bar ? 'has-bar flex min-h-dvh flex-col' : 'flex min-h-dvh flex-col'}>
      <SkipLink />
      <AccountHeader {...account} />
      <div className="mx-auto grid w-full max-w-7xl flex-1 px-4 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <Sidebar entries={entries} />
        <main id={MAIN_ID} className="dashboard-page min-w-0 pb-16">
          <ResearchLine>{notice}</ResearchLine>
          {children}
        </main>
      </div>
      {bar ? <BottomBar entries={entries} /> : null}
      {toasts}
    </div>
  );
}
