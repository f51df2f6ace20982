import { getAnalytics } from '#app/features/analytics/analytics.server.ts';
import { measuredDays } from '#app/features/tracking/health/measured-days.server.ts';
import {
  deleteSiteEntry,
  getSiteEntry,
  listSiteEntries,
  pageOfSiteEntries,
  logSite,
  recordDoseSite,
  removeDoseSite,
  updateSiteEntry,
  chooseSites,
  siteRotation,
} from '#app/features/tracking/sites/injection-sites.server.ts';
import { prepareExport } from '#app/features/export/export.server.ts';
import {
  addQuickEntry,
  importCsv,
  latestMeasurements,
  measurementTrend,
  addMeasurement,
  deleteMeasurement,
  listMeasurements,
  pageOfMeasurements,
  updateMeasurement,
  addMeasure,
  removeMeasure,
} from '#app/features/tracking/health/measurements.server.ts';
import {
  deleteNutrition,
  findNutritionOf,
  listNutrition,
  pageOfNutrition,
  saveNutrition,
  updateNutrition,
  weekMeans,
} from '#app/features/tracking/nutrition/nutrition.server.ts';
import {
  sideEffectReport,
  sideEffectStats,
  onsetOf,
  addSideEffectImage,
  deleteSideEffectImage,
  readSideEffectImage,
  addTemplate,
  listTemplates,
  removeTemplate,
  addSideEffect,
  deleteSideEffect,
  listSideEffects,
  pageOfSideEffects,
  resolveSideEffect,
} from '#app/features/tracking/side-effects/side-effects.server.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { picture } from '#tests/support/pictures.ts';
import { textOf } from '#tests/support/streams.ts';
import { pageThrough } from './pages.ts';

/** Everything that can be done with injection sites. */
export async function rotateSites({ ctx, signedIn }: Person): Promise<void> {
  const { id } = await logSite(ctx, { site: 'deltoid-left', takenAt: '2026-01-01T08:00', saveKey: 'k' });
  await logSite(ctx, { site: 'deltoid-left', takenAt: '2026-01-01T08:00', saveKey: 'k' });
  await logSite(ctx, { site: 'deltoid-right', takenAt: '2026-01-02T08:00' });
  await updateSiteEntry(ctx, id, { pain: 1 });
  await getSiteEntry(ctx, id);
  await deleteSiteEntry(ctx, id);
  await chooseSites(ctx, { sites: ['deltoid-left', 'deltoid-right'] });
  await siteRotation(ctx);
  await listSiteEntries(ctx);
  await pageThrough((page) => pageOfSiteEntries(ctx, { ...page, start: '2026-01-01' }));
  const dose = { doseId: 'dose_1', site: 'deltoid-left', name: 'A', dose: '1' } as const;
  await recordDoseSite(ctx, signedIn.user.id, { ...dose, takenAt: new Date(0) });
  await removeDoseSite(ctx, signedIn.user.id, 'dose_1');
}

/** Everything that can be done with side effects. @returns the id of the one that is left, with a picture */
export async function noteEffects({ ctx }: Person): Promise<string> {
  const effect = { name: 'Nausea', severity: 2, startedAt: '2026-01-01T08:00' };
  const gone = await addSideEffect(ctx, effect);
  const { id } = await addSideEffect(ctx, effect);
  await resolveSideEffect(ctx, id);
  await listSideEffects(ctx, { search: 'a', state: 'open', start: '2026-01-01' });
  await pageThrough((page) => pageOfSideEffects(ctx, { ...page, updatedSince: new Date(0) }));
  await sideEffectStats(ctx);
  await sideEffectReport(ctx, { start: '2026-01-01', end: '2026-02-01' });
  await onsetOf(ctx, gone);
  await addTemplate(ctx, { name: 'Own' });
  await removeTemplate(ctx, { name: 'Own' });
  await listTemplates(ctx);
  const image = await addSideEffectImage(ctx, gone.id, await picture());
  await readSideEffectImage(ctx, gone.id, image.id);
  await deleteSideEffectImage(ctx, gone.id, image.id);
  await addSideEffectImage(ctx, gone.id, await picture());
  await deleteSideEffect(ctx, gone.id);
  await addSideEffectImage(ctx, id, await picture());
  return id;
}

/** Everything that can be done with nutrition and measurements. */
export async function measure({ ctx }: Person): Promise<void> {
  const { id } = await saveNutrition(ctx, { date: '2026-01-01', calories: 1 });
  await saveNutrition(ctx, { date: '2026-01-02', calories: 1 });
  await updateNutrition(ctx, id, { fat: 1 });
  await findNutritionOf(ctx, '2026-01-01');
  await listNutrition(ctx);
  await pageThrough((page) => pageOfNutrition(ctx, page));
  await weekMeans(ctx);
  await deleteNutrition(ctx, id);
  const measuredAt = '2026-01-01T08:00';
  const weight = await addMeasurement(ctx, { metric: 'weight', value: 80, measuredAt });
  await updateMeasurement(ctx, weight.id, { value: 81 });
  await deleteMeasurement(ctx, weight.id);
  await addQuickEntry(ctx, { measuredAt, values: { mood: '5' } });
  await importCsv(ctx, { text: 'date,weight\n2026-01-01,80' });
  await importCsv(ctx, { text: 'date,weight\n2026-01-01,80' });
  await listMeasurements(ctx, { metric: 'mood' });
  await pageThrough((page) => pageOfMeasurements(ctx, { ...page, metric: 'mood' }));
  await pageThrough((page) => pageOfMeasurements(ctx, { ...page, start: '2020-01-01' }));
  await pageThrough((page) => pageOfMeasurements(ctx, { ...page, updatedSince: new Date(0) }));
  await latestMeasurements(ctx);
  await measurementTrend(ctx, 'weight', null);
  await measuredDays(ctx, 30);
  await getAnalytics(ctx, { days: 30, name: null });
  await removeMeasure(ctx, (await addMeasure(ctx, { name: 'Waist' })).key);
}

/** Everything that can be tracked, once. */
export async function track(db: TestDatabase): Promise<void> {
  const person = await newPerson(db, 'tracks@example.org', { plan: 'trial' });
  await rotateSites(person);
  await noteEffects(person);
  await measure(person);
  const types = ['doses', 'nutrition', 'sideEffects', 'injectionSites', 'measurements'] as const;
  const days = { startDate: '2026-01-01', endDate: '2026-01-31' };
  await textOf((await prepareExport(person.ctx, { format: 'json', types: [...types], ...days })).open());
}
