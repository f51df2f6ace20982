import type { ReactNode } from 'react';
import { Tabs, type Tab, PageTitle } from '#app/ui/page-head.tsx';

type ScheduleTab = 'today' | 'schedules' | 'calendar';

const TABS: readonly Tab<ScheduleTab>[] = [
  { tab: 'today', to: '/dashboard/schedule', label: 'Today' },
  { tab: 'schedules', to: '/dashboard/schedule/all', label: 'Schedules' },
  { tab: 'calendar', to: '/dashboard/schedule/calendar', label: 'Calendar' },
];

/** The tabs on each page of the schedule area. */
export function ScheduleTabs({ current }: { current: ScheduleTab | null }) {
  return <Tabs label="Schedule" tabs={TABS} current={current} />;
}

interface SchedulePageProps {
  tab: ScheduleTab;
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the schedule area. */
export function SchedulePage({ tab, title, actions, children }: SchedulePageProps) {
  return (
    <>
      <PageTitle actions={actions}>{title}</PageTitle>
      <ScheduleTabs current={tab} />
      <div className="grid max-w-3xl grid-cols-1 gap-5">{children}</div>
    </>
  );
}
