import { declareRepositories } from '#app/platform/access/repository-store.server.ts';

/** The repositories that this room uses. */
export const repos = declareRepositories(
  'compounds',
  'importedCalculations',
  'importedCompounds',
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
