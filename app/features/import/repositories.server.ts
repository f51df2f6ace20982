import { declareRepositories } from '#app/platform/access/repository-store.server.ts';

/** The repositories that this room uses. */
export const repos = declareRepositories(
  'idClaims',
  'vials',
  'importedCalculations',
  'importedVials',
  'importedDoses',
  'importedInjectionSites',
  'importedLots',
  'importedMeasurements',
  'importedNutrition',
  'importedSchedules',
  'importedSideEffects',
  'importedSupplies',
  'imports',
  'lots',
  'sessions',
  'users',
);
