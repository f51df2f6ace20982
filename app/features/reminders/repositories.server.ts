import { declareRepositories } from '#app/platform/access/repository-store.server.ts';

/** The repositories that this room uses. */
export const repos = declareRepositories(
  'deliveries',
  'doseReminding',
  'doses',
  'notificationChoices',
  'ntfyTopics',
  'oneTimeSecrets',
  'pushSubscriptions',
  'reminders',
  'stockChecks',
  'users',
);
