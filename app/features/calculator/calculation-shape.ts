import * as z from 'zod';
import { calculateFigures } from '#app/domain/calculator/calculate.ts';
import { SOLVE_FOR } from '#app/domain/calculator/calculation.ts';
import { SYRINGE_IDS } from '#app/domain/calculator/syringes.ts';
import type { HistoryEntry } from '#app/domain/calculator/history.ts';
import { instant, named } from '#app/platform/api/shapes.ts';

/** A saved calculation in an answer. */
export const calculationShape = named(
  'Calculation',
  z.object({
    id: z.string(),
    createdAt: instant,
    type: z.literal('reconstitution'),
    peptideName: z.string().nullable(),
    peptideAmount: z.number().describe('mg in the vial'),
    waterVolume: z.number().describe('ml added'),
    desiredDose: z.number().describe('mg'),
    solveFor: z.enum(SOLVE_FOR),
    syringe: z.enum(SYRINGE_IDS),
    displacement: z.string().describe('µl that one mg of powder takes up'),
    concentration: z.number().describe('mg/ml, the nearest double'),
    concentrationText: z.string().describe('mg/ml as shown, 2 decimals'),
    injectionVolume: z.number().describe('ml, the nearest double'),
    injectionVolumeText: z.string().describe('ml as shown, 3 decimals'),
    unitsText: z.string().describe('Units on the scale of the syringe'),
    notes: z.string().nullable(),
    isSessionOnly: z.boolean().describe('It goes when the sign-in ends (free accounts)'),
  }),
);

/** A saved calculation as the answer holds it: the kept inputs with the figures that follow from them. */
export function calculationView(entry: HistoryEntry): z.input<typeof calculationShape> {
  const { id, createdAt, type, peptideName, notes, solveFor, syringe, displacement, isSessionOnly } = entry;
  return {
    id,
    createdAt,
    type,
    solveFor,
    syringe,
    displacement,
    isSessionOnly,
    peptideName: peptideName ?? null,
    notes: notes ?? null,
    ...calculateFigures(entry),
  };
}

/** A saved calculation in the document's examples. */
export const EXAMPLE_CALCULATION = {
  id: 'calc_1795334400000a1b2c3d4e5f6',
  createdAt: '2026-11-22T08:00:00.000Z',
  type: 'reconstitution',
  peptideName: 'BPC-157',
  peptideAmount: 5,
  waterVolume: 2,
  desiredDose: 0.25,
  solveFor: 'volume',
  syringe: 'u100-1ml',
  displacement: '0',
  concentration: 2.5,
  concentrationText: '2.50',
  injectionVolume: 0.1,
  injectionVolumeText: '0.100',
  unitsText: '10',
  notes: null,
  isSessionOnly: false,
};
