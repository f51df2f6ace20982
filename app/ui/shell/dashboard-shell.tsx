import type { ReactNode } from 'react';
import { AccountHeader, type AccountHeaderProps } from './account-header.tsx';
import { BottomBar } from './bottom-bar.tsx';
import type { NavEntry } from './nav-entries.ts';
import { MAIN_ID, ResearchLine, SkipLink } from './page-frame.tsx';
import { Sidebar } from './sidebar.tsx';

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
