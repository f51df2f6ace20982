import * as z from 'zod';
import { DOSE_STATUSES } from '#app/domain/doses/dose-status.ts';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import type { getDose } from './doses.server.ts';
import { day, instant, named } from '#app/platform/api/shapes.ts';

type Dose = Awaited<ReturnType<typeof getDose>>;

/** A dose in an answer. */
export const doseShape = named(
  'Dose',
  z.object({
    id: z.string(),
    scheduleId: z.string().nullable().describe('null for a dose that was logged without a schedule'),
    name: z.string(),
    dueDate: instant,
    localDay: day.describe('The day on the clock of its schedule'),
    wallTime: z.string().describe('HH:mm on the clock of its schedule'),
    timeZone: z.string(),
    status: z.enum(DOSE_STATUSES),
    doseAmount: z.number().describe('Planned, in doseUnit'),
    doseUnit: z.enum(['mg', 'mcg']),
    takenAt: instant.nullable(),
    actualDose: z.number().nullable().describe('Taken, in doseUnit'),
    notes: z.string().nullable(),
    site: z.string().nullable().describe('Where it was injected'),
    route: z.string().nullable(),
    compoundId: z.string().nullable().describe("The schedule's vial"),
    draws: z
      .array(z.object({ compoundId: z.string(), mg: z.number() }))
      .describe('What it took out of vials'),
  }),
);

/** Codes of what the person should know; the dose is written all the same. */
export const warningsShape = z.array(z.enum(DOSE_WARNINGS));

/** A dose as the answer holds it. */
export function toDoseResponse(dose: Dose): z.input<typeof doseShape> {
  const { doseAmount, actualDose, draws, ...rest } = dose;
  return {
    ...rest,
    doseAmount: Number(doseAmount),
    actualDose: actualDose === null ? null : Number(actualDose),
    draws: draws.map(({ compoundId, mg }) => ({ compoundId, mg: Number(mg) })),
  };
}

/** A dose in the document's examples. */
export const EXAMPLE_DOSE = {
  id: 'dose_6f1b1c3e9a7d4b2f8e0c5a61',
  scheduleId: 'sched_1795334400000a1b2c3d4e5f6',
  name: 'BPC-157',
  dueDate: '2026-11-22T08:00:00.000Z',
  localDay: '2026-11-22',
  wallTime: '08:00',
  timeZone: 'UTC',
  status: 'taken' as const,
  doseAmount: 250,
  doseUnit: 'mcg' as const,
  takenAt: '2026-11-22T08:04:00.000Z',
  actualDose: 250,
  notes: null,
  site: 'abdomen-upper-left',
  route: null,
  compoundId: null,
  draws: [{ compoundId: 'vial_6740f0c0a1b2c3d4e5f60718', mg: 0.25 }],
};
