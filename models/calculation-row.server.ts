import type { CalculationInput } from '#app/domain/calculator/index.ts';
import type { HistoryEntry } from '#app/domain/schemas/history.ts';
import { KEPT, type CalculationRow } from './calculation.model.server.ts';

/** A calculation to write. */
export interface NewCalculation {
  id: string;
  userId: string;
  /** The sign-in that it belongs to; null keeps it. */
  signInId: string | null;
  saveKey: string;
  createdAt: Date;
  input: CalculationInput;
  concentration: number;
  injectionVolume: number;
}

/** Unnamed calculations stand last in the alphabet. */
export const UNNAMED = '\uffff';

/** The form in which names are sorted and counted: capitals and ways of writing the same name make no difference. */
export function nameKeyOf(name: string | undefined): string {
  return name === undefined || name === '' ? UNNAMED : name.normalize('NFKC').toLowerCase();
}

/** The stored row as the record that the rest of the program knows. */
export function toEntry(row: CalculationRow): HistoryEntry {
  return {
    ...(row.input as CalculationInput),
    ...(row.peptideName === null ? {} : { peptideName: row.peptideName }),
    ...(row.notes === null ? {} : { notes: row.notes }),
    id: row._id,
    userId: row.userId,
    createdAt: row.createdAt,
    type: row.type,
    concentration: row.concentration,
    injectionVolume: row.injectionVolume,
    isSessionOnly: row.shelf !== KEPT,
  };
}

/** The record as it is stored: what the calculation did not read is left out. */
export function toRow(calculation: NewCalculation): CalculationRow {
  const { id, userId, signInId, saveKey, createdAt, concentration, injectionVolume } = calculation;
  const { peptideName, notes, ...read } = calculation.input;
  const input = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
  return {
    _id: id,
    userId,
    shelf: signInId ?? KEPT,
    saveKey,
    createdAt,
    type: 'reconstitution',
    input: input as unknown as CalculationRow['input'],
    peptideName: peptideName === undefined || peptideName === '' ? null : peptideName,
    nameKey: nameKeyOf(peptideName),
    notes: notes === undefined || notes === '' ? null : notes,
    concentration,
    injectionVolume,
  };
}
