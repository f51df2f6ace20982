import * as z from 'zod';
import { instant, named } from '#app/platform/api/shapes.ts';

/** A picture as the API gives it; it itself is at `…/images/{imageId}`. */
export const imageShape = named(
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

/** A side effect as the API gives it. */
export const sideEffectShape = named(
  'SideEffect',
  z.object({
    id: z.string(),
    name: z.string(),
    severity: z.int().min(1).max(5),
    startedAt: instant,
    resolvedDate: z
      .string()
      .nullable()
      .describe('As it was told: a day (YYYY-MM-DD) or an instant; null while it lasts'),
    compoundId: z.string().nullable(),
    doseId: z.string().nullable(),
    notes: z.string().nullable(),
    images: z.array(imageShape),
    createdAt: instant,
    updatedAt: instant,
  }),
);

const figures = {
  count: z.int(),
  open: z.int().describe('Those that last'),
  meanSeverity: z.number().nullable(),
  maxSeverity: z.number().nullable(),
  medianDurationHours: z.number().nullable(),
  medianOnsetHours: z.number().nullable().describe('From the last dose taken in the two weeks before'),
  withOnset: z.int().describe('How many have such a dose'),
};

/** Figures of side effects, in all and by name. */
export const statsShape = named(
  'SideEffectStats',
  z.object({
    ...figures,
    byName: z.array(named('NamedSideEffectStats', z.object({ name: z.string(), ...figures }))),
  }),
);

const AT = '2026-11-22T08:00:00.000Z' as unknown as Date;

export const EXAMPLE_IMAGE = {
  id: 'img_6f1b1c3e9a7d4b2f8e0c5a61',
  contentType: 'image/jpeg',
  bytes: 182_000,
  width: 1536,
  height: 2048,
  addedAt: AT,
};

export const EXAMPLE_SIDE_EFFECT = {
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

export const EXAMPLE_STATS = { ...EXAMPLE_FIGURES, byName: [{ name: 'Nausea', ...EXAMPLE_FIGURES }] };
