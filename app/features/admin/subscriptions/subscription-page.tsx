import type { ReactNode } from 'react';
import { PageTitle } from '#app/ui/page-title.tsx';
import { Tabs, type Tab } from '#app/ui/tabs.tsx';
import { OverviewFigures, type OverviewFigure } from '#app/features/admin/overview-figures.tsx';

export type SubscriptionTab = 'events' | 'issues' | 'analytics';

const BASE = '/admin/dashboard/subscriptions';
const TABS: readonly Tab<SubscriptionTab>[] = [
  { tab: 'events', to: BASE, label: 'Recent Events' },
  { tab: 'issues', to: `${BASE}/issues`, label: 'Billing Issues' },
  { tab: 'analytics', to: `${BASE}/analytics`, label: 'Analytics' },
];

interface SubscriptionPageProps {
  tab: SubscriptionTab;
  figures: readonly OverviewFigure[];
  children: ReactNode;
}

/** A page about subscriptions: the figures, the tabs, and what the tab shows. */
export function SubscriptionPage({ tab, figures, children }: SubscriptionPageProps) {
  return (
    <>
      <PageTitle>Subscriptions</PageTitle>
      <OverviewFigures figures={figures} />
      <Tabs label="Subscriptions" tabs={TABS} current={tab} />
      <div className="grid gap-6">{children}</div>
    </>
  );
}
