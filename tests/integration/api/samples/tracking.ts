import { randomUUID } from 'node:crypto';
import { picture } from '#tests/support/pictures.ts';
import type { ApiClient } from '../client.ts';
import type { Samples } from './sample.ts';

const EFFECT = { name: 'Nausea', severity: 2, startedAt: '2026-01-05T08:00:00Z' };
const SITE = { site: 'deltoid-left', takenAt: '2026-01-05T08:00:00Z', dose: 250, doseUnit: 'mcg' };
const MEASUREMENT = { metric: 'weight', value: 80.5, unit: 'kg', measuredAt: '2026-01-05T08:00:00Z' };

/** Creates something with a POST and returns its id as a path parameter. */
const made =
  (path: string, body: () => object, name: string, more: object = {}) =>
  async (owner: ApiClient) => {
    const answer = await owner.post(path, body());
    const thing = answer.body.data?.[name] as { id: string } | undefined;
    return { params: { id: thing?.id ?? '' }, ...more };
  };

const effect = (more: object = {}) => made('/api/side-effects', () => EFFECT, 'sideEffect', more);
const site = (more: object = {}) => made('/api/injection-sites', () => SITE, 'injectionSite', more);
const measurement = (more: object = {}) => made('/api/health', () => MEASUREMENT, 'measurement', more);

/** A different day each time, so that a deleted entry is not needed. */
let days = 0;
const nutrition = (more: object = {}) =>
  made(
    '/api/nutrition',
    () => ({ date: new Date(Date.UTC(2025, 0, 1 + (days += 1))).toISOString().slice(0, 10), calories: 2100 }),
    'nutrition',
    more,
  );

const file = async () => ({
  field: 'image',
  name: 'a.png',
  type: 'image/png',
  bytes: new Uint8Array(await picture('png')),
});

async function image(owner: ApiClient) {
  const { params } = await effect()(owner);
  const added = await owner.call('POST', `/api/side-effects/${params.id}/images`, { file: await file() });
  const { id: imageId } = added.body.data?.['image'] as { id: string };
  return { params: { ...params, imageId } };
}

export const trackingSamples: Samples = {
  listSideEffects: {
    prepare: () => ({ query: { search: 'naus', severity: '2', state: 'open', start: '2026-01-01' } }),
  },
  addSideEffect: { prepare: () => ({ body: { ...EFFECT, resolvedDate: '2026-01-06', notes: 'x' } }) },
  getSideEffect: { prepare: effect() },
  changeSideEffect: { prepare: effect({ body: { severity: 4, notes: null } }) },
  deleteSideEffect: { prepare: effect() },
  resolveSideEffect: { prepare: effect({ body: { resolvedDate: '2026-01-06' } }) },
  sideEffectStats: {},
  sideEffectReport: { prepare: () => ({ query: { start: '2026-01-01', end: '2026-02-01' } }) },
  sideEffectTemplates: {},
  addSideEffectTemplate: { prepare: () => ({ body: { name: `Own ${randomUUID()}` } }) },
  addSideEffectImage: { prepare: async (owner) => ({ ...(await effect()(owner)), file: await file() }) },
  getSideEffectImage: { prepare: image },
  deleteSideEffectImage: { prepare: image },
  listInjectionSites: {},
  logInjectionSite: { prepare: () => ({ body: { ...SITE, volume: '0,1', pain: 2, notes: 'x' } }) },
  getInjectionSite: { prepare: site() },
  changeInjectionSite: { prepare: site({ body: { pain: 3 } }) },
  deleteInjectionSite: { prepare: site() },
  nextInjectionSite: {},
  chooseInjectionSites: { prepare: () => ({ body: { sites: ['deltoid-left', 'deltoid-right'] } }) },
  listNutrition: {},
  saveNutrition: { prepare: () => ({ body: { date: '2026-01-05', calories: 2100, protein: '120,5' } }) },
  getNutrition: { prepare: nutrition() },
  changeNutrition: { prepare: nutrition({ body: { water: 2500 } }) },
  deleteNutrition: { prepare: nutrition() },
  listMeasurements: { prepare: () => ({ query: { metric: 'weight' } }) },
  addMeasurement: { prepare: () => ({ body: MEASUREMENT }) },
  listMeasures: {},
  getMeasurement: { prepare: measurement() },
  changeMeasurement: { prepare: measurement({ body: { value: '81' } }) },
  deleteMeasurement: { prepare: measurement() },
};
