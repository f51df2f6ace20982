import { Tabs, type Tab } from '#app/ui/tabs.tsx';

export type TrackingTab = 'sites' | 'side-effects' | 'nutrition' | 'health';

const TABS: readonly Tab<TrackingTab>[] = [
  { tab: 'sites', to: '/dashboard/tracking', label: 'Sites' },
  { tab: 'side-effects', to: '/dashboard/tracking/side-effects', label: 'Side effects' },
  { tab: 'nutrition', to: '/dashboard/tracking/nutrition', label: 'Nutrition' },
  { tab: 'health', to: '/dashboard/tracking/health', label: 'Health' },
];

/** The parts of tracking, on top of each of its pages. */
export function TrackingTabs({ current }: { current: TrackingTab }) {
  return <Tabs label="Tracking" tabs={TABS} current={current} />;
}
