import type { ReactNode } from 'react';
import { PageTitle } from '#app/ui/page-title.tsx';
import { ScheduleTabs, type ScheduleTab } from './schedule-tabs.tsx';

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
