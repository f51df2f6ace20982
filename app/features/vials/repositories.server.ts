import { declareRepositories } from '#app/platform/access/repository-store.server.ts';

/** The repositories that this room uses. */
export const repos = declareRepositories(
  'vials',
  'doses',
  'lots',
  'schedules',
  'suppliers',
  'supplies',
  'users',
);
