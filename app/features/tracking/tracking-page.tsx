import type { ReactNode } from 'react';
import { PageTitle } from '#app/ui/page-title.tsx';
import { TrackingTabs, type TrackingTab } from './tracking-tabs.tsx';

interface TrackingPageProps {
  tab: TrackingTab;
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of tracking: its tab, its title, its content. */
export function TrackingPage({ tab, title, actions, children }: TrackingPageProps) {
  return (
    <>
      <PageTitle actions={actions}>{title}</PageTitle>
      <TrackingTabs current={tab} />
      {children}
    </>
  );
}
