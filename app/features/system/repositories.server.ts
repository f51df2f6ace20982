import { declareRepositories } from '#app/platform/access/repository-store.server.ts';

/** The repositories that this room uses. */
export const repos = declareRepositories(
  'announcements',
  'archives',
  'backups',
  'dataFile',
  'deliveries',
  'doseReminding',
  'jobRuns',
  'migrations',
  'processSignals',
  'serverProcesses',
  'webhookDeliveries',
);
