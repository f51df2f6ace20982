import * as z from 'zod';
import {
  resolveSchema,
  sideEffectSchema,
  updateSideEffectSchema,
} from '#app/domain/tracking/side-effect-schema.ts';
import {
  addSideEffect,
  deleteSideEffect,
  getSideEffect,
  listSideEffects,
  resolveSideEffect,
  updateSideEffect,
} from './side-effects.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { day, idParams, pageQuery, pageShape } from '#app/platform/api/shapes.ts';
import { EXAMPLE_SIDE_EFFECT, sideEffectShape } from './side-effect-shape.ts';

const tag = 'Side effects';
const answer = z.object({ sideEffect: sideEffectShape });
const example = { sideEffect: EXAMPLE_SIDE_EFFECT };

const severity = z
  .enum(['1', '2', '3', '4', '5'], { error: 'Severity must be a whole number from 1 to 5' })
  .optional();

export const listSideEffectsCall = operation({
  id: 'listSideEffects',
  method: 'GET',
  path: '/api/side-effects',
  tag,
  summary: 'Your side effects, the latest start first',
  access: 'premium',
  isList: true,
  query: z.object({
    ...pageQuery(),
    search: z.string().max(200).optional().describe('Text in name or notes'),
    severity,
    state: z.enum(['all', 'open', 'resolved']).optional(),
    start: day.optional(),
    end: day.optional(),
  }),
  response: z.object({ sideEffects: z.array(sideEffectShape), ...pageShape }),
  example: { data: { sideEffects: [EXAMPLE_SIDE_EFFECT], page: 1, limit: 20, total: 1 } },
  async run(ctx, { query }) {
    const { items, page, limit, total } = await listSideEffects(ctx, query);
    return { sideEffects: items, page, limit, total };
  },
});

export const addSideEffectCall = operation({
  id: 'addSideEffect',
  method: 'POST',
  path: '/api/side-effects',
  tag,
  summary: 'Note a side effect',
  access: 'premium',
  creates: true,
  body: sideEffectSchema.omit({ saveKey: true }),
  response: answer,
  example: { body: { name: 'Nausea', severity: 2, startedAt: '2026-11-22T08:00:00Z' }, data: example },
  run: async (ctx, { body }) => ({ sideEffect: await addSideEffect(ctx, body) }),
});

export const getSideEffectCall = operation({
  id: 'getSideEffect',
  method: 'GET',
  path: '/api/side-effects/{id}',
  tag,
  summary: 'One side effect',
  access: 'premium',
  params: idParams,
  response: answer,
  example: { data: example },
  run: async (ctx, { params }) => ({ sideEffect: await getSideEffect(ctx, params.id) }),
});

export const changeSideEffectCall = operation({
  id: 'changeSideEffect',
  method: 'PUT',
  path: '/api/side-effects/{id}',
  tag,
  summary: 'Change a side effect; only what is sent changes, null takes a value out',
  access: 'premium',
  params: idParams,
  body: updateSideEffectSchema,
  response: answer,
  example: { body: { severity: 3 }, data: { sideEffect: { ...EXAMPLE_SIDE_EFFECT, severity: 3 } } },
  run: async (ctx, { params, body }) => ({ sideEffect: await updateSideEffect(ctx, params.id, body) }),
});

export const deleteSideEffectCall = operation({
  id: 'deleteSideEffect',
  method: 'DELETE',
  path: '/api/side-effects/{id}',
  tag,
  summary: 'Delete a side effect with its pictures',
  access: 'premium',
  params: idParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteSideEffect(ctx, params.id);
    return new Reply({}, { message: 'Side effect deleted' });
  },
});

export const resolveSideEffectCall = operation({
  id: 'resolveSideEffect',
  method: 'PATCH',
  path: '/api/side-effects/{id}/resolve',
  tag,
  summary: 'Say that a side effect is over; without a date, now',
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
