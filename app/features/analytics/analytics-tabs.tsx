import { Tabs } from '#app/ui/page-head.tsx';

const TABS = [
  { tab: 'charts', to: '/dashboard/analytics', label: 'Charts' },
  { tab: 'adherence', to: '/dashboard/schedule/adherence', label: 'Adherence' },
] as const;

/** The tabs of what happened: in charts, and against the plan. */
export function AnalyticsTabs({ current }: { current: (typeof TABS)[number]['tab'] }) {
  return <Tabs label="Analytics" tabs={TABS} current={current} />;
}
