import { declareRepositories } from '#app/platform/access/repository-store.server.ts';

/** The repositories that this room uses. */
export const repos = declareRepositories(
  'deliveries',
  'doseReminding',
  'doses',
  'jobRuns',
  'notificationChoices',
  'ntfyTopics',
  'oneTimeSecrets',
  'pushSubscriptions',
  'reminders',
  'users',
);
