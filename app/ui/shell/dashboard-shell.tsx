import { Form, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { Badge } from '#app/ui/badge.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useSite } from '#app/ui/site.ts';
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
  const isTrial = typeof trialDaysLeft === 'number';
  if (premium && !isTrial) return null;
  return (
    <LinkButton to="/upgrade" variant="plain">
      {isTrial ? trialText(trialDaysLeft) : 'Upgrade to Pro'}
    </LinkButton>
  );
}

const MENU = 'account-menu';

/** Opens the menu without scripts. React 18 has no types for these attributes of HTML, but writes them. */
const OPENS_MENU = { popovertarget: MENU };
const MENU_ATTRIBUTES = { popover: 'auto' };

/** One bar: what belongs to the account is in a menu on a phone, and in the bar on a wide page. */
function AccountHeader({
  email,
  premium,
  trialDaysLeft,
  exportHref = '/dashboard/export',
  signOutAction = '/logout',
  bell,
}: AccountHeaderProps) {
  // Another page has its menu closed.
  const { key } = useLocation();
  const { isSelling } = useSite();
  return (
    <header className="account-header no-print">
      <div className="account-bar">
        <Brand to="/dashboard" />
        {isSelling ? <Badge tone={premium ? 'pen' : 'soft'}>{premium ? 'Pro' : 'Free'}</Badge> : null}
        <div className="account-tools">
          {bell}
          <button type="button" className="account-button" {...OPENS_MENU}>
            <Icon name="person" />
            <span className="sr-only">Account</span>
          </button>
        </div>
        <div key={key} id={MENU} className="account-menu" {...MENU_ATTRIBUTES}>
          <p className="account-email">{`Welcome, ${email}`}</p>
          <PlanLink premium={premium} trialDaysLeft={trialDaysLeft} />
          <LinkButton to={exportHref} variant="plain">
            <Icon name="download" size={18} />
            Export
          </LinkButton>
          <Form method="post" action={signOutAction}>
            <Button variant="plain">Sign out</Button>
          </Form>
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

/** Where the work begins on pages with tabs above it; the skip link leads there, so that few presses of Tab do. */
const WORK_OF: Readonly<Record<string, string>> = { '/dashboard/schedule': 'doses' };

/** The frame of every signed-in page. */
export function DashboardShell({ entries, notice, toasts, children, ...account }: DashboardShellProps) {
  const { pathname } = useLocation();
  const bar = entries.length > 1;
  return (
    <div className={bar ? 'has-bar flex min-h-dvh flex-col' : 'flex min-h-dvh flex-col'}>
      <SkipLink to={WORK_OF[pathname]} />
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
