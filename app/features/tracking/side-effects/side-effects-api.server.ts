import * as z from 'zod';
import { Readable } from 'node:stream';
import {
  instant,
  named,
  idParams,
  MAX_PAGE_SIZE,
  pageQuery,
  cursorPageShape,
  cursorQuery,
  updatedQuery,
  periodQuery,
  textShapes,
  dayText,
} from '#app/platform/api/shapes.ts';
import { calendarDay, daysBefore } from '#app/domain/time/zoned-time.ts';
import {
  sideEffectReport,
  sideEffectStats,
  addSideEffectImage,
  deleteSideEffectImage,
  readSideEffectImage,
  addTemplate,
  listTemplates,
  addSideEffect,
  deleteSideEffect,
  getSideEffect,
  pageOfSideEffects,
  resolveSideEffect,
  updateSideEffect,
} from './side-effects.server.ts';
import {
  templateSchema,
  resolveSchema,
  sideEffectSchema,
  updateSideEffectSchema,
  effectDetails,
} from '#app/domain/tracking/side-effect-schema.ts';
import { SIDE_EFFECT_TEMPLATES } from '#app/domain/tracking/side-effects.ts';
import { pageOfAll } from '#app/platform/pagination.server.ts';
import { FileReply, operation, Reply } from '#app/platform/api/operation.ts';

const tag = 'Side effects';

/** A picture as the API returns it; the file is at `…/images/{imageId}`. */
const imageShape = named(
  'SideEffectImage',
  z.object({
    id: z.string(),
    contentType: z.string(),
    bytes: z.int(),
    width: z.int(),
    height: z.int(),
    addedAt: instant,
  }),
);

/** A side effect as the API returns it. */
const sideEffectShape = named(
  'SideEffect',
  z.object({
    id: z.string(),
    name: z.string(),
    severity: z.int().min(1).max(5),
    startedAt: instant,
    resolvedDate: z
      .string()
      .nullable()
      .describe('As entered: a day (YYYY-MM-DD) or an instant; null while ongoing'),
    ...textShapes(effectDetails),
    images: z.array(imageShape),
    createdAt: instant,
    updatedAt: instant,
  }),
);

const figures = {
  count: z.int(),
  open: z.int().describe('How many are ongoing'),
  meanSeverity: z.number().nullable(),
  maxSeverity: z.number().nullable(),
  medianDurationHours: z.number().nullable(),
  medianOnsetHours: z.number().nullable().describe('From the last dose taken in the two weeks before'),
  withOnset: z.int().describe('How many have a dose in that time'),
};

/** Statistics of side effects, overall and by name. */
const statsShape = named(
  'SideEffectStats',
  z.object({
    ...figures,
    byName: z.array(named('NamedSideEffectStats', z.object({ name: z.string(), ...figures }))),
  }),
);

const AT = new Date('2026-11-22T08:00:00.000Z');

const EXAMPLE_IMAGE = {
  id: 'img_6f1b1c3e9a7d4b2f8e0c5a61',
  contentType: 'image/jpeg',
  bytes: 182_000,
  width: 1536,
  height: 2048,
  addedAt: AT,
};

const EXAMPLE_SIDE_EFFECT = {
  id: 'fx_6f1b1c3e9a7d4b2f8e0c5a61',
  name: 'Nausea',
  severity: 2,
  startedAt: AT,
  resolvedDate: '2026-11-22',
  compoundId: null,
  doseId: null,
  notes: null,
  images: [],
  createdAt: AT,
  updatedAt: AT,
};

const EXAMPLE_FIGURES = {
  count: 1,
  open: 0,
  meanSeverity: 2,
  maxSeverity: 2,
  medianDurationHours: 4,
  medianOnsetHours: 2.5,
  withOnset: 1,
};

const EXAMPLE_STATS = { ...EXAMPLE_FIGURES, byName: [{ name: 'Nausea', ...EXAMPLE_FIGURES }] };

const sideEffectStatsCall = operation({
  id: 'sideEffectStats',
  method: 'GET',
  path: '/api/side-effects/stats',
  tag,
  summary: 'All your side effects in numbers',
  description: 'Overall and by name. Onset is the time since the last dose taken in the two weeks before.',
  access: 'premium',
  response: z.object({ stats: statsShape }),
  example: { data: { stats: EXAMPLE_STATS } },
  run: async (ctx) => ({ stats: await sideEffectStats(ctx) }),
});

/** Days of a report without a period. */
const DEFAULT_DAYS = 30;

const sideEffectReportCall = operation({
  id: 'sideEffectReport',
  method: 'GET',
  path: '/api/side-effects/report',
  tag,
  summary: 'Side effects that began in a period, with statistics',
  description:
    'Both days are included, in your time zone. Default: the last 30 days. At most 5 years and 1,000 entries.',
  access: 'premium',
  query: z.object({ start: dayText.optional(), end: dayText.optional() }),
  response: z.object({
    report: z.object({
      start: z.string(),
      end: z.string(),
      stats: statsShape,
      sideEffects: z.array(sideEffectShape),
      leftOut: z.int().describe('How many more there are than the listed ones'),
    }),
  }),
  example: {
    query: { start: '2026-11-01', end: '2026-11-30' },
    data: {
      report: {
        start: '2026-11-01',
        end: '2026-11-30',
        stats: EXAMPLE_STATS,
        sideEffects: [EXAMPLE_SIDE_EFFECT],
        leftOut: 0,
      },
    },
  },
  async run(ctx, { query }) {
    const today = calendarDay(ctx.now(), ctx.timeZone);
    const { start = daysBefore(today, DEFAULT_DAYS), end = today } = query;
    const { period, ...report } = await sideEffectReport(ctx, { start, end });
    return { report: { ...period, ...report } };
  },
});

const templateShape = named(
  'SideEffectTemplate',
  z.object({ name: z.string(), isOwn: z.boolean().describe('Made by you') }),
);

const sideEffectTemplatesCall = operation({
  id: 'sideEffectTemplates',
  method: 'GET',
  path: '/api/side-effects/templates',
  tag,
  summary: 'Names for side effects: the built-in ones, then your own by name',
  description: 'Suggested names. You can log a side effect under any other name, too.',
  access: 'premium',
  isList: true,
  query: z.object({ ...pageQuery(MAX_PAGE_SIZE), ...cursorQuery }),
  response: z.object({ templates: z.array(templateShape), ...cursorPageShape }),
  example: {
    data: { templates: [{ name: 'Nausea', isOwn: false }], page: 1, limit: 100, total: 1, next: null },
  },
  async run(ctx, { query }) {
    const builtIn = new Map<string, number>(SIDE_EFFECT_TEMPLATES.map((name, place) => [name, place]));
    const { items, paging } = await pageOfAll(query, await listTemplates(ctx), {
      name: 'templates',
      kinds: ['number', 'text'],
      placeOf: ({ name }) => [builtIn.get(name) ?? builtIn.size, name],
      order: 1,
    });
    return { templates: items, ...paging };
  },
});

const addSideEffectTemplateCall = operation({
  id: 'addSideEffectTemplate',
  method: 'POST',
  path: '/api/side-effects/templates',
  tag,
  summary: 'Add a template of your own',
  description: 'The response lists all templates. A name that already exists is refused.',
  access: 'premium',
  creates: '/api/side-effects/templates',
  errors: ['ALREADY_EXISTS'],
  body: templateSchema,
  response: z.object({ templates: z.array(templateShape) }),
  example: { body: { name: 'Cold hands' }, data: { templates: [{ name: 'Cold hands', isOwn: true }] } },
  async run(ctx, { body }) {
    await addTemplate(ctx, body);
    return { templates: await listTemplates(ctx) };
  },
});

const addSideEffectImageCall = operation({
  id: 'addSideEffectImage',
  method: 'POST',
  path: '/api/side-effects/{id}/images',
  tag,
  summary: 'Add a picture',
  description:
    'Re-encoded without location and camera data. Up to 10 per side effect, 50 or 100 MB in total.',
  access: 'premium',
  creates: '/api/side-effects/{id}/images/{image.id}',
  errors: ['LIMIT_REACHED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  upload: { field: 'image', description: 'JPEG, PNG or WebP, up to 5 MB' },
  params: idParams,
  response: z.object({ image: imageShape }),
  example: { data: { image: EXAMPLE_IMAGE } },
  async run(ctx, { params, file }) {
    const bytes = new Uint8Array(await (file ?? new Blob()).arrayBuffer());
    return { image: await addSideEffectImage(ctx, params.id, bytes) };
  },
});

const imageParams = z.object({ ...idParams.shape, imageId: z.string().min(1).max(200) });

const getSideEffectImageCall = operation({
  id: 'getSideEffectImage',
  method: 'GET',
  path: '/api/side-effects/{id}/images/{imageId}',
  tag,
  summary: 'A picture',
  description: 'The picture as stored: re-encoded, without location and camera data.',
  access: 'premium',
  params: imageParams,
  files: ['image/jpeg', 'image/png', 'image/webp'],
  example: { params: { id: EXAMPLE_SIDE_EFFECT.id, imageId: EXAMPLE_IMAGE.id } },
  async run(ctx, { params }) {
    const { bytes, contentType } = await readSideEffectImage(ctx, params.id, params.imageId);
    const name = `picture.${contentType.split('/')[1] ?? 'bin'}`;
    return new FileReply(contentType, name, () => Readable.from([bytes]));
  },
});

const deleteSideEffectImageCall = operation({
  id: 'deleteSideEffectImage',
  method: 'DELETE',
  path: '/api/side-effects/{id}/images/{imageId}',
  tag,
  summary: 'Delete a picture',
  description: 'This cannot be undone. Its storage space is freed immediately.',
  access: 'premium',
  params: imageParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteSideEffectImage(ctx, params.id, params.imageId);
    return new Reply({}, { message: 'Picture deleted' });
  },
});

export const sideEffectFigureOperations = [
  sideEffectStatsCall,
  sideEffectReportCall,
  sideEffectTemplatesCall,
  addSideEffectTemplateCall,
  addSideEffectImageCall,
  getSideEffectImageCall,
  deleteSideEffectImageCall,
];

const answer = z.object({ sideEffect: sideEffectShape });
const example = { sideEffect: EXAMPLE_SIDE_EFFECT };

const severity = z
  .enum(['1', '2', '3', '4', '5'], { error: 'Severity must be a whole number from 1 to 5' })
  .optional()
  .describe('Only this severe');

const listSideEffectsCall = operation({
  id: 'listSideEffects',
  method: 'GET',
  path: '/api/side-effects',
  tag,
  summary: 'Your side effects, most recent first',
  description: 'Filters are combined. Start and end days are included, in your time zone.',
  access: 'premium',
  isList: true,
  query: z.object({
    ...pageQuery(),
    ...cursorQuery,
    ...updatedQuery,
    search: z.string().max(200).optional().describe('Text in name or notes'),
    severity,
    state: z.enum(['all', 'open', 'resolved']).optional().describe('Whether it still lasts'),
    ...periodQuery,
  }),
  response: z.object({ sideEffects: z.array(sideEffectShape), ...cursorPageShape }),
  example: { data: { sideEffects: [EXAMPLE_SIDE_EFFECT], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfSideEffects(ctx, query);
    return { sideEffects: items, ...paging };
  },
});

const addSideEffectCall = operation({
  id: 'addSideEffect',
  method: 'POST',
  path: '/api/side-effects',
  tag,
  summary: 'Log a side effect',
  description: 'You can send `resolvedDate` later; until then the side effect is ongoing.',
  access: 'premium',
  creates: '/api/side-effects/{sideEffect.id}',
  body: sideEffectSchema.omit({ saveKey: true }),
  response: answer,
  example: { body: { name: 'Nausea', severity: 2, startedAt: '2026-11-22T08:00:00Z' }, data: example },
  errors: ['PLAN_LIMIT'],
  run: async (ctx, { body }) => ({ sideEffect: await addSideEffect(ctx, body) }),
});

const getSideEffectCall = operation({
  id: 'getSideEffect',
  method: 'GET',
  path: '/api/side-effects/{id}',
  tag,
  summary: 'One side effect',
  description: 'Includes the details of its pictures.',
  access: 'premium',
  params: idParams,
  response: answer,
  example: { data: example },
  run: async (ctx, { params }) => ({ sideEffect: await getSideEffect(ctx, params.id) }),
});

const changeSideEffectCall = operation({
  id: 'changeSideEffect',
  method: 'PUT',
  path: '/api/side-effects/{id}',
  tag,
  summary: 'Update a side effect; only the fields sent change, null clears a value',
  description: 'Pictures have their own endpoints.',
  access: 'premium',
  params: idParams,
  body: updateSideEffectSchema,
  response: answer,
  example: { body: { severity: 3 }, data: { sideEffect: { ...EXAMPLE_SIDE_EFFECT, severity: 3 } } },
  run: async (ctx, { params, body }) => ({ sideEffect: await updateSideEffect(ctx, params.id, body) }),
});

const deleteSideEffectCall = operation({
  id: 'deleteSideEffect',
  method: 'DELETE',
  path: '/api/side-effects/{id}',
  tag,
  summary: 'Delete a side effect with its pictures',
  description: 'This cannot be undone.',
  access: 'premium',
  params: idParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteSideEffect(ctx, params.id);
    return new Reply({}, { message: 'Side effect deleted' });
  },
});

const resolveSideEffectCall = operation({
  id: 'resolveSideEffect',
  method: 'PATCH',
  path: '/api/side-effects/{id}/resolve',
  tag,
  summary: 'Mark a side effect as resolved, now or on the given date',
  description: 'If it is already resolved, the date is replaced.',
  access: 'premium',
  params: idParams,
  body: resolveSchema,
  response: answer,
  example: { body: { resolvedDate: '2026-11-22' }, data: example },
  run: async (ctx, { params, body }) => ({ sideEffect: await resolveSideEffect(ctx, params.id, body) }),
});

export const sideEffectOperations = [
  listSideEffectsCall,
  addSideEffectCall,
  getSideEffectCall,
  changeSideEffectCall,
  deleteSideEffectCall,
  resolveSideEffectCall,
];
