export { measuredDays, measuredView } from './health/measured-days.server.ts';
export { checkCsv, importCsv } from './health/measurement-entry.server.ts';
export { deleteMeasurement, updateMeasurement } from './health/measurements.server.ts';
export { addMeasure, readMeasures, removeMeasure } from './health/measures.server.ts';
export { deleteNutrition, saveNutrition } from './nutrition/nutrition.server.ts';
export {
  addSideEffectImage,
  deleteSideEffectImage,
  readSideEffectImage,
} from './side-effects/side-effect-images.server.ts';
export { addTemplate, listTemplates, removeTemplate } from './side-effects/side-effect-templates.server.ts';
export {
  addSideEffect,
  deleteSideEffect,
  resolveSideEffect,
  updateSideEffect,
} from './side-effects/side-effects.server.ts';
export {
  describeDoseSite,
  recordDoseSite,
  removeDoseSite,
  siteEntryOfDose,
  deleteSiteEntry,
  logSite,
  updateSiteEntry,
} from './sites/injection-sites.server.ts';
export { chooseSites, siteRotation } from './sites/site-rotation.server.ts';
