import { declareRepositories } from '#app/platform/access/repository-store.server.ts';

/** The repositories that this room uses. */
export const repos = declareRepositories(
  'addresses',
  'adminFigures',
  'audit',
  'auditLists',
  'billing',
  'billingAdmin',
  'billingIssues',
  'calculations',
  'dataFile',
  'expiredRows',
  'passkeys',
  'personalData',
  'processSignals',
  'secondFactors',
  'serverLogs',
  'serverProcesses',
  'sessions',
  'stripeCustomers',
  'subscriptionEvents',
  'superAdmins',
  'userAdmin',
  'userCounts',
  'userLists',
  'users',
);
