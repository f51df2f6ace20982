import type { CalculationInput } from '#app/domain/calculator/types.ts';
import type { HistoryEntry } from '#app/domain/calculator/history-schema.ts';
import { fieldReader } from './field-reader.server.ts';
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

/** Where each field of the record stands in the row, for reading many rows straight from their bytes. */
const SOURCES = {
  id: '_id',
  userId: 'userId',
  shelf: 'shelf',
  createdAt: 'createdAt',
  peptideName: 'peptideName',
  notes: 'notes',
  concentration: 'concentration',
  injectionVolume: 'injectionVolume',
  solveFor: 'input.solveFor',
  peptideAmount: 'input.peptideAmount',
  waterVolume: 'input.waterVolume',
  desiredDose: 'input.desiredDose',
  desiredDoseUnit: 'input.desiredDoseUnit',
  drawVolume: 'input.drawVolume',
  syringe: 'input.syringe',
  mark: 'input.mark',
  displacement: 'input.displacement',
} as const;

const readValues = fieldReader(Object.values(SOURCES));

/** The same record from the bytes of a stored row. What is absent is undefined here. */
export function readEntry(bytes: Uint8Array): HistoryEntry {
  const [id, userId, shelf, createdAt, peptideName, notes, concentration, injectionVolume, ...input] =
    readValues(bytes);
  const [
    solveFor,
    peptideAmount,
    waterVolume,
    desiredDose,
    desiredDoseUnit,
    drawVolume,
    syringe,
    mark,
    displacement,
  ] = input;
  return {
    solveFor,
    peptideAmount,
    waterVolume,
    desiredDose,
    desiredDoseUnit,
    drawVolume,
    syringe,
    mark,
    displacement,
    peptideName: peptideName ?? undefined,
    notes: notes ?? undefined,
    id,
    userId,
    createdAt,
    type: 'reconstitution',
    concentration,
    injectionVolume,
    isSessionOnly: shelf !== KEPT,
  } as HistoryEntry;
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
