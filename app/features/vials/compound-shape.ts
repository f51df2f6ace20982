import * as z from 'zod';
import { nearestDouble } from '#app/domain/decimal/ratio.ts';
import { beyondUseDay, isPastDate } from '#app/domain/vials/beyond-use.ts';
import { isFinal, isLow, VIAL_STATUSES, type Vial } from '#app/domain/vials/vial.ts';
import { remainingOf, strengthText } from '#app/domain/vials/vial-texts.ts';
import { strengthOf } from '#app/domain/vials/concentration.ts';
import { day, instant, named } from '#app/platform/api/shapes.ts';

/** A vial in an answer. Amounts are mg. */
export const compoundShape = named(
  'Compound',
  z.object({
    id: z.string(),
    userId: z.string(),
    name: z.string(),
    concentration: z.number().nullable().describe('mg/ml, the nearest double; null while unknown'),
    concentrationText: z.string().nullable().describe('mg/ml as shown, 2 decimals'),
    totalAmount: z.number().describe('mg when it was whole'),
    remainingAmount: z.number().describe('mg, never below 0'),
    overdrawnAmount: z.number().describe('mg that were drawn beyond the book balance'),
    amountMg: z.number(),
    waterMl: z.number().nullable(),
    displacement: z.number().describe('µl that one mg of powder takes up'),
    reconstitutionDate: day.nullable(),
    expirationDate: day.nullable().describe('As stored'),
    beyondUseDate: day
      .nullable()
      .describe('Last day of use: the stored one, else 28 days after reconstitution'),
    openedAt: instant.nullable().describe('When it was first drawn from'),
    status: z.enum(VIAL_STATUSES),
    isActive: z.boolean().describe('Neither empty nor discarded'),
    isExpired: z.boolean(),
    isLow: z.boolean(),
    storageTemp: z.string().nullable(),
    notes: z.string().nullable(),
    lot: z.string().nullable(),
    supplierId: z.string().nullable(),
    cost: z.number().nullable(),
    currency: z.string().nullable(),
    createdAt: instant,
  }),
);

/** An entry of a vial's ledger in an answer. */
export const ledgerShape = named(
  'LedgerEntry',
  z.object({
    kind: z.enum(['dose', 'correction', 'spill', 'discard', 'import']),
    amount: z.number().describe('mg; below zero what went out'),
    reason: z.string().nullable(),
    at: instant,
  }),
);

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

/** A vial as the answer holds it. @param today the owner's calendar day */
export function compoundView(vial: Vial, today: string): z.input<typeof compoundShape> {
  const strength = strengthOf(vial);
  const { left, overdrawn } = remainingOf(vial);
  const { id, userId, name, status, reconstitutionDate, expirationDate, openedAt, createdAt } = vial;
  const { storageTemp, notes, lot, supplierId, currency } = vial;
  return {
    ...{ id, userId, name, status, reconstitutionDate, expirationDate, openedAt, createdAt },
    ...{ storageTemp, notes, lot, supplierId, currency },
    concentration: strength === null ? null : nearestDouble(strength),
    concentrationText: strengthText(vial),
    totalAmount: Number(vial.totalAmount),
    remainingAmount: Number(left),
    overdrawnAmount: Number(overdrawn ?? 0),
    amountMg: Number(vial.totalAmount),
    waterMl: numberOrNull(vial.waterMl),
    displacement: Number(vial.displacement),
    beyondUseDate: beyondUseDay(vial),
    isActive: !isFinal(vial),
    isExpired: isPastDate(vial, today),
    isLow: isLow(vial),
    cost: numberOrNull(vial.cost),
  };
}

/** A vial in the document's examples. */
export const EXAMPLE_COMPOUND = {
  id: 'vial_6740f1a29c1b2d3e4f506172',
  userId: '6740f1a29c1b2d3e4f506170',
  name: 'BPC-157',
  concentration: 2.5,
  concentrationText: '2.50',
  totalAmount: 5,
  remainingAmount: 4.75,
  overdrawnAmount: 0,
  amountMg: 5,
  waterMl: 2,
  displacement: 0,
  reconstitutionDate: '2026-11-20',
  expirationDate: null,
  beyondUseDate: '2026-12-18',
  openedAt: '2026-11-21T08:00:00.000Z',
  status: 'in_use',
  isActive: true,
  isExpired: false,
  isLow: false,
  storageTemp: '2–8 °C',
  notes: null,
  lot: 'A-1027',
  supplierId: null,
  cost: 39.9,
  currency: 'USD',
  createdAt: '2026-11-20T08:00:00.000Z',
};
