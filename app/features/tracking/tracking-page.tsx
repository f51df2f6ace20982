import type { ReactNode } from 'react';
import { Tabs, type Tab, PageTitle } from '#app/ui/page-head.tsx';

type TrackingTab = 'sites' | 'side-effects' | 'nutrition' | 'health';

const TABS: readonly Tab<TrackingTab>[] = [
  { tab: 'sites', to: '/dashboard/tracking', label: 'Sites' },
  { tab: 'side-effects', to: '/dashboard/tracking/side-effects', label: 'Side effects' },
  { tab: 'nutrition', to: '/dashboard/tracking/nutrition', label: 'Nutrition' },
  { tab: 'health', to: '/dashboard/tracking/health', label: 'Health' },
];

/** When an entry was made, in the margin: the day, with the time below it where there is room. */
export function When({ at, shown }: { at: string; shown: string }) {
  const [day, time] = shown.split(', ');
  return (
    <time dateTime={at} className="history-when">
      <span className="figure">{day}</span> {time ? <span className="figure">{time}</span> : null}
    </time>
  );
}

interface TrackingPageProps {
  tab: TrackingTab;
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a tracking page. */
export function TrackingPage({ tab, title, actions, children }: TrackingPageProps) {
  return (
    <>
      <PageTitle actions={actions}>{title}</PageTitle>
      <Tabs label="Tracking" tabs={TABS} current={tab} />
      {children}
    </>
  );
}
