import { Readable } from 'node:stream';
import * as z from 'zod';
import { calendarDay, daysBefore } from '#app/domain/time/days.ts';
import { sideEffectReport, sideEffectStats } from './side-effect-figures.server.ts';
import {
  addSideEffectImage,
  deleteSideEffectImage,
  readSideEffectImage,
} from './side-effect-images.server.ts';
import { addTemplate, listTemplates } from './side-effect-templates.server.ts';
import { templateSchema } from '#app/domain/tracking/side-effect-schema.ts';
import { FileReply, operation, Reply } from '#app/platform/api/operation.ts';
import { idParams, named } from '#app/platform/api/shapes.ts';
import {
  EXAMPLE_IMAGE,
  EXAMPLE_SIDE_EFFECT,
  EXAMPLE_STATS,
  imageShape,
  sideEffectShape,
  statsShape,
} from './side-effect-shape.ts';

const tag = 'Side effects';

export const sideEffectStatsCall = operation({
  id: 'sideEffectStats',
  method: 'GET',
  path: '/api/side-effects/stats',
  tag,
  summary: 'All your side effects in numbers',
  access: 'premium',
  response: z.object({ stats: statsShape }),
  example: { data: { stats: EXAMPLE_STATS } },
  run: async (ctx) => ({ stats: await sideEffectStats(ctx) }),
});

/** Days of a report that names none. */
const DEFAULT_DAYS = 30;

export const sideEffectReportCall = operation({
  id: 'sideEffectReport',
  method: 'GET',
  path: '/api/side-effects/report',
  tag,
  summary: 'The side effects that began in a period, with their figures',
  description:
    'Days of your time zone, both included; by default the last 30. At most 5 years and 1,000 entries.',
  access: 'premium',
  query: z.object({ start: z.string().optional(), end: z.string().optional() }),
  response: z.object({
    report: z.object({
      start: z.string(),
      end: z.string(),
      stats: statsShape,
      sideEffects: z.array(sideEffectShape),
      leftOut: z.int().describe('More than are listed'),
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

export const sideEffectTemplatesCall = operation({
  id: 'sideEffectTemplates',
  method: 'GET',
  path: '/api/side-effects/templates',
  tag,
  summary: 'Names to note side effects by: the built-in ones, then your own',
  access: 'premium',
  response: z.object({ templates: z.array(templateShape) }),
  example: { data: { templates: [{ name: 'Nausea', isOwn: false }] } },
  run: async (ctx) => ({ templates: await listTemplates(ctx) }),
});

export const addSideEffectTemplateCall = operation({
  id: 'addSideEffectTemplate',
  method: 'POST',
  path: '/api/side-effects/templates',
  tag,
  summary: 'Add a template of your own',
  access: 'premium',
  creates: true,
  errors: ['CONFLICT'],
  body: templateSchema,
  response: z.object({ templates: z.array(templateShape) }),
  example: { body: { name: 'Cold hands' }, data: { templates: [{ name: 'Cold hands', isOwn: true }] } },
  async run(ctx, { body }) {
    await addTemplate(ctx, body);
    return { templates: await listTemplates(ctx) };
  },
});

export const addSideEffectImageCall = operation({
  id: 'addSideEffectImage',
  method: 'POST',
  path: '/api/side-effects/{id}/images',
  tag,
  summary: 'Add a picture',
  description:
    'It is made anew from its pixels: place and camera data are gone. At most 10 each, 50 or 100 MB in all.',
  access: 'premium',
  creates: true,
  errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  upload: { field: 'image', description: 'JPEG, PNG or WebP, at most 5 MB' },
  params: idParams,
  response: z.object({ image: imageShape }),
  example: { data: { image: EXAMPLE_IMAGE } },
  async run(ctx, { params, file }) {
    const bytes = new Uint8Array(await (file ?? new Blob()).arrayBuffer());
    return { image: await addSideEffectImage(ctx, params.id, bytes) };
  },
});

const imageParams = z.object({ ...idParams.shape, imageId: z.string().min(1).max(200) });

export const getSideEffectImageCall = operation({
  id: 'getSideEffectImage',
  method: 'GET',
  path: '/api/side-effects/{id}/images/{imageId}',
  tag,
  summary: 'A picture',
  access: 'premium',
  params: imageParams,
  files: ['image/jpeg', 'image/png', 'image/webp'],
  example: {},
  async run(ctx, { params }) {
    const { bytes, contentType } = await readSideEffectImage(ctx, params.id, params.imageId);
    const name = `picture.${contentType.split('/')[1] ?? 'bin'}`;
    return new FileReply(contentType, name, () => Readable.from([bytes]));
  },
});

export const deleteSideEffectImageCall = operation({
  id: 'deleteSideEffectImage',
  method: 'DELETE',
  path: '/api/side-effects/{id}/images/{imageId}',
  tag,
  summary: 'Delete a picture',
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
