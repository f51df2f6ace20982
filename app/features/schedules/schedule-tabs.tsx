import { Tabs, type Tab } from '#app/ui/tabs.tsx';

export type ScheduleTab = 'today' | 'schedules' | 'calendar' | 'adherence' | 'templates';

const TABS: readonly Tab<ScheduleTab>[] = [
  { tab: 'today', to: '/dashboard/schedule', label: 'Today' },
  { tab: 'schedules', to: '/dashboard/schedule/all', label: 'Schedules' },
  { tab: 'calendar', to: '/dashboard/schedule/calendar', label: 'Calendar' },
  { tab: 'adherence', to: '/dashboard/schedule/adherence', label: 'Adherence' },
  { tab: 'templates', to: '/dashboard/schedule/templates', label: 'Templates' },
];

/** The parts of the schedule area, on top of each of its pages. */
export function ScheduleTabs({ current }: { current: ScheduleTab | null }) {
  return <Tabs label="Schedule" tabs={TABS} current={current} />;
}
