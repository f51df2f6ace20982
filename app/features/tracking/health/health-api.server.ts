import * as z from 'zod';
import {
  measurementDetails,
  measurementSchema,
  METRICS,
  updateMeasurementSchema,
} from '#app/domain/tracking/measurements.ts';
import {
  addMeasurement,
  deleteMeasurement,
  getMeasurement,
  pageOfMeasurements,
  MEASUREMENT_WARNINGS,
  measurementWarnings,
  updateMeasurement,
  readMeasures,
} from './measurements.server.ts';
import type { MeasurementRecord } from '#models/index.server.ts';
import { pageOfAll } from '#app/platform/pagination.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import {
  idParams,
  instant,
  MAX_PAGE_SIZE,
  named,
  pageQuery,
  cursorPageShape,
  cursorQuery,
  periodQuery,
  updatedAtOf,
  updatedQuery,
  textShapes,
  warningsOf,
} from '#app/platform/api/shapes.ts';

const tag = 'Health';

const measurementShape = named(
  'Measurement',
  z.object({
    id: z.string(),
    metric: z.string().describe('Key of the measure, from /api/health/measures'),
    measuredAt: instant,
    updatedAt: instant,
    value: z.number().describe('In `unit`, as entered'),
    text: z.string().describe('The same as decimal text, with every digit that was entered'),
    unit: z.string().describe('Unit of `value`, as entered; empty for a measure without one'),
    ...textShapes(measurementDetails),
  }),
);

/** Value and unit as entered, so that what is read can be sent back. */
const shown = ({ text, ...measurement }: MeasurementRecord) => ({
  ...measurement,
  updatedAt: updatedAtOf(measurement),
  value: Number(text),
  text,
});

const answer = z.object({ measurement: measurementShape });
const written = z.object({
  measurement: measurementShape,
  warnings: warningsOf(MEASUREMENT_WARNINGS),
});

const EXAMPLE = {
  id: 'health_6f1b1c3e9a7d4b2f8e0c5a61',
  metric: 'weight',
  measuredAt: new Date('2026-11-22T07:30:00.000Z'),
  updatedAt: new Date('2026-11-22T07:30:00.000Z'),
  value: 80.5,
  text: '80.5',
  unit: 'kg',
  notes: null,
};

export const listMeasurementsCall = operation({
  id: 'listMeasurements',
  method: 'GET',
  path: '/api/health',
  tag,
  summary: 'Your measurements, newest first, optionally of one measure',
  description: '`value` is in `unit`, both as entered. Entries of one measure may have different units.',
  access: 'premium',
  isList: true,
  query: z.object({
    ...pageQuery(),
    ...cursorQuery,
    ...periodQuery,
    ...updatedQuery,
    metric: z.string().max(60).optional().describe('Key of a measure, such as weight'),
  }),
  response: z.object({ measurements: z.array(measurementShape), ...cursorPageShape }),
  example: { data: { measurements: [EXAMPLE], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfMeasurements(ctx, query);
    return { measurements: items.map(shown), ...paging };
  },
});

export const addMeasurementCall = operation({
  id: 'addMeasurement',
  method: 'POST',
  path: '/api/health',
  tag,
  summary: 'Add a measurement',
  description:
    'Without `unit` the value is in your own units. Values outside the limits of the measure are refused.',
  access: 'premium',
  creates: '/api/health/{measurement.id}',
  body: measurementSchema.omit({ saveKey: true }),
  response: written,
  example: {
    body: { metric: 'weight', value: 80.5, unit: 'kg', measuredAt: '2026-11-22T07:30:00Z' },
    data: { measurement: EXAMPLE, warnings: [] },
  },
  errors: ['PLAN_LIMIT'],
  async run(ctx, { body }) {
    const measurement = await addMeasurement(ctx, body);
    return { measurement: shown(measurement), warnings: await measurementWarnings(ctx, measurement) };
  },
});

const measureShape = named(
  'Measure',
  z.object({ key: z.string(), name: z.string(), unit: z.string().describe('In your units') }),
);

export const listMeasuresCall = operation({
  id: 'listMeasures',
  method: 'GET',
  path: '/api/health/measures',
  tag,
  summary: 'Available measures: the built-in ones, then your own by name',
  description: 'Use `key` as `metric` in the other calls.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(MAX_PAGE_SIZE), ...cursorQuery }),
  response: z.object({ measures: z.array(measureShape), ...cursorPageShape }),
  example: {
    data: {
      measures: [{ key: 'weight', name: 'Weight', unit: 'kg' }],
      ...{ page: 1, limit: 100, total: 1, next: null },
    },
  },
  async run(ctx, { query }) {
    const { metrics, units } = await readMeasures(ctx);
    const builtIn = new Map(METRICS.map(({ key }, place) => [key, place]));
    const { items, paging } = await pageOfAll(query, metrics, {
      name: 'measures',
      kinds: ['number', 'text', 'text'],
      placeOf: ({ key, name }) => [builtIn.get(key) ?? builtIn.size, name, key],
      order: 1,
    });
    return { measures: items.map((metric) => ({ ...metric, unit: metric[units].unit })), ...paging };
  },
});

export const getMeasurementCall = operation({
  id: 'getMeasurement',
  method: 'GET',
  path: '/api/health/{id}',
  tag,
  summary: 'One measurement',
  description: '`value` is in `unit`, both as entered.',
  access: 'premium',
  params: idParams,
  response: answer,
  example: { data: { measurement: EXAMPLE } },
  run: async (ctx, { params }) => ({ measurement: shown(await getMeasurement(ctx, params.id)) }),
});

export const changeMeasurementCall = operation({
  id: 'changeMeasurement',
  method: 'PUT',
  path: '/api/health/{id}',
  tag,
  summary: 'Update a measurement; only the fields sent change',
  description:
    '`value` is in the `unit` you send, by default that of the measurement. A different `unit` needs its `value`; nothing is ' +
    'converted. The measure itself cannot be changed.',
  access: 'premium',
  params: idParams,
  body: updateMeasurementSchema,
  quantity: ['value', 'unit'],
  response: written,
  example: {
    body: { value: 80.4 },
    data: { measurement: { ...EXAMPLE, value: 80.4, text: '80.4' }, warnings: [] },
  },
  async run(ctx, { params, body }) {
    const measurement = await updateMeasurement(ctx, params.id, body);
    return { measurement: shown(measurement), warnings: await measurementWarnings(ctx, measurement) };
  },
});

export const deleteMeasurementCall = operation({
  id: 'deleteMeasurement',
  method: 'DELETE',
  path: '/api/health/{id}',
  tag,
  summary: 'Delete a measurement',
  description: 'This cannot be undone.',
  access: 'premium',
  params: idParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteMeasurement(ctx, params.id);
    return new Reply({}, { message: 'Measurement deleted' });
  },
});

export const healthOperations = [
  listMeasurementsCall,
  addMeasurementCall,
  listMeasuresCall,
  getMeasurementCall,
  changeMeasurementCall,
  deleteMeasurementCall,
];
