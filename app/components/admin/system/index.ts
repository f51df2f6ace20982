export {
  AnnouncementForm,
  AnnouncementRows,
  type AnnouncementRow,
  type AnnouncementValues,
} from './announcements.tsx';
export { BackupList, BackupProgress, type BackupShown } from './backup-list.tsx';
export { Health, type JobView, type MetricView } from './health.tsx';
export { LogList, type LogView } from './log-list.tsx';
export { SwitchList, type SwitchView } from './switch-list.tsx';
export { SystemPage, type SystemTab } from './system-page.tsx';
