export {
  announce,
  changeAnnouncement,
  dismissAnnouncement,
  endAnnouncement,
  getAnnouncement,
  listAnnouncements,
  shownAnnouncements,
} from './announcements.server.ts';
export { type BackupSettings, backupJob, backupPlan } from './backups.server.ts';
export { migrationStatus } from './migrations.server.ts';
export { type WorkerFigures, getWorkerFigures } from './worker-figures.server.ts';
