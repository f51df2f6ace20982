import { declareRepositories } from '#app/platform/access/repository-store.server.ts';

/** The repositories that this room uses. */
export const repos = declareRepositories(
  'accountStandings',
  'addresses',
  'apiTokens',
  'audit',
  'calculations',
  'calendarFeeds',
  'identities',
  'notificationChoices',
  'ntfyTopics',
  'oneTimeSecrets',
  'passkeys',
  'personalData',
  'processSignals',
  'pushSubscriptions',
  'reportShares',
  'secondFactors',
  'sessions',
  'superAdmins',
  'users',
  'webhookDeliveries',
  'webhooks',
);
