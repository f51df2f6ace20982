export { measuredDays, measuredView } from './health/measured-days.server.ts';
export {
  checkCsv,
  importCsv,
  deleteMeasurement,
  updateMeasurement,
  addMeasure,
  readMeasures,
  removeMeasure,
} from './health/measurements.server.ts';
export { deleteNutrition, saveNutrition } from './nutrition/nutrition.server.ts';
export {
  addSideEffectImage,
  deleteSideEffectImage,
  readSideEffectImage,
  addTemplate,
  listTemplates,
  removeTemplate,
  addSideEffect,
  deleteSideEffect,
  resolveSideEffect,
  updateSideEffect,
} from '#app/features/tracking/side-effects/side-effects.server.ts';
export {
  describeDoseSite,
  recordDoseSite,
  removeDoseSite,
  siteEntryOfDose,
  deleteSiteEntry,
  logSite,
  updateSiteEntry,
  chooseSites,
  siteRotation,
} from './sites/injection-sites.server.ts';
