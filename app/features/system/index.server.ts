export {
  announce,
  changeAnnouncement,
  dismissAnnouncement,
  endAnnouncement,
  getAnnouncement,
  listAnnouncements,
  shownAnnouncements,
} from './announcements.server.ts';
export {
  type BackupSettings,
  type BackupView,
  backupJob,
  backupPlan,
  getBackup,
  listBackups,
  openBackup,
  pruneBackups,
  recordRestore,
  startBackup,
  streamBackup,
} from './backups.server.ts';
export { COMPACT_JOB, compactWhenDue } from './compaction.server.ts';
export {
  type Failure,
  finishMigrations,
  migrationStatus,
  type WorkerFigures,
  getWorkerFigures,
  listFailures,
} from './server-status.server.ts';
