import { declareRepositories } from '#app/platform/access/repository-store.server.ts';

/** The repositories that this room uses. */
export const repos = declareRepositories(
  'analytics',
  'compounds',
  'doses',
  'injectionSites',
  'measurements',
  'nutrition',
  'pictures',
  'rowQuota',
  'sideEffects',
  'takenDoses',
  'trackingChoices',
  'users',
);
