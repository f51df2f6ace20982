import type { ReactNode } from 'react';
import { PageTitle, Tabs, type Tab } from '#app/ui/page-head.tsx';

export type SystemTab = 'health' | 'logs' | 'backups' | 'switches' | 'announcements';

const BASE = '/admin/dashboard/system';
const TABS: readonly Tab<SystemTab>[] = [
  { tab: 'health', to: BASE, label: 'Health' },
  { tab: 'logs', to: `${BASE}/logs`, label: 'Logs' },
  { tab: 'backups', to: `${BASE}/backups`, label: 'Backups' },
  { tab: 'switches', to: `${BASE}/switches`, label: 'Switches' },
  { tab: 'announcements', to: `${BASE}/announcements`, label: 'Announcements' },
];

interface SystemPageProps {
  tab: SystemTab;
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page about the server with its tabs. */
export function SystemPage({ tab, title, actions, children }: SystemPageProps) {
  return (
    <>
      <PageTitle actions={actions}>{title}</PageTitle>
      <Tabs label="System" tabs={TABS} current={tab} />
      <div className="grid gap-6">{children}</div>
    </>
  );
}
