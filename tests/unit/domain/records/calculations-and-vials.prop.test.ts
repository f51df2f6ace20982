import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { calculateFigures } from '#app/domain/calculator/calculate.ts';
import type { SavedCalculation } from '#app/domain/calculator/calculation.ts';
import { CALCULATIONS, certainText } from '#app/domain/records/calculations.ts';
import { VIALS } from '#app/domain/records/vials.ts';
import { csvTable, rowsOfTable } from '#app/domain/records/csv-table.ts';
import { jsonWriter, readRow, readRows } from '#app/domain/records/record-types.ts';
import type { ExportCells, ImportedRecord, RawFile } from '#app/domain/records/record-type.ts';
import { correctTo, discardAll, takeFrom } from '#app/domain/vials/stock.ts';
import { newVial } from '#app/domain/vials/describe-vial.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { jsonRows } from '#tests/support/import-files.ts';

const NOW = new Date('2090-06-01T12:00:00Z');
const SETTING = { now: NOW, timeZone: 'Europe/Berlin' };
type Type = 'calculations' | 'compounds';

/** Writes a row as CSV and as JSON and reads it back from both. */
function throughFiles(type: Type, cells: ExportCells): RawFile[] {
  const table = csvTable([type], false);
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const csv = [table.header, table.placer(type)(cells)].map((line) => line.map(quote).join(',')).join('\r\n');
  const [header = [], line = []] = parse(csv, { relax_column_count: true }) as unknown as string[][];
  const read = jsonRows(`{"${type}":[${jsonWriter(type)(cells)}]}`);
  if ('problem' in read) throw new Error(read.problem);
  return [rowsOfTable(header, [{ line: 2, cells: line }]), read];
}

/** The cells that a record would be exported as. */
function exported(record: ImportedRecord): ExportCells {
  if (record.type === 'calculations') {
    const { input, id, createdAt, concentration, injectionVolume } = record;
    const named = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== ''));
    const figures = { concentration, injectionVolume };
    const about = { id, userId: 'u', createdAt, type: 'reconstitution' };
    return CALCULATIONS.cells({ ...named, ...about, ...figures } as SavedCalculation);
  }
  if (record.type !== 'compounds') throw new Error('has a test of its own');
  return VIALS.cells({ ...record.vial, id: record.id, userId: 'u' });
}

function comesBack(type: Type, cells: ExportCells): void {
  for (const { rows, bad } of throughFiles(type, cells)) {
    expect(bad).toEqual([]);
    const read = rows.map((row) => readRow(row, SETTING));
    expect(read.map((each) => ('record' in each ? exported(each.record) : each.reason))).toEqual([cells]);
  }
}

const decimal = (most: number, digits: number) =>
  fc.integer({ min: 1, max: most * 10 ** digits }).map((units) => (units / 10 ** digits).toFixed(digits));
const text = fc
  .string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', "'", '"', ',', 'a', 'Z', '0', 'µ', '\n'),
    maxLength: 20,
  })
  .map((raw) => raw.trim());
const instant = fc
  .integer({ min: 1_600_000_000_000, max: NOW.getTime() })
  .map((milliseconds) => new Date(milliseconds));
const day = fc
  .integer({ min: 0, max: 9000 })
  .map((days) => new Date(days * 86_400_000 + 1.6e12).toISOString().slice(0, 10));

const calculation = fc
  .record({
    solveFor: fc.constantFrom('volume', 'water', 'dose'),
    peptideAmount: decimal(100, 2),
    others: fc.uniqueArray(fc.constantFrom('TB-500', 'a:b', '=KPV', '-x'), { maxLength: 3 }),
    waterVolume: decimal(10, 3),
    desiredDose: decimal(10_000, 1),
    desiredDoseUnit: fc.constant('mcg'),
    drawVolume: decimal(2, 3),
    displacement: fc.constantFrom('0', '0', '0.73', '0.9'),
    measuredAmount: fc.constantFrom('', '', '4.8', '21'),
    peptideName: text,
    notes: text,
  })
  .map(({ others, peptideAmount, measuredAmount, ...fields }) => {
    if (others.length === 0) return parseCalculationForm({ ...fields, peptideAmount, measuredAmount });
    const amounts = ['BPC-157', ...others].map((name, at) => ({
      name,
      amount: at === 1 ? peptideAmount : '5',
    }));
    return parseCalculationForm({ ...fields, components: amounts, doseOf: others[0] });
  })
  .filter((parsed) => parsed.ok);

describe('export and import', () => {
  it('restore every calculation, whatever it solved for', () => {
    fc.assert(
      fc.property(calculation, instant, (parsed, createdAt) => {
        const { concentration, injectionVolume } = calculateFigures(parsed.input);
        // Half-way between two displayed texts the exact inputs decide, which are lost once a solved number is a double.
        fc.pre(certainText(concentration, 2) !== null && certainText(injectionVolume, 3) !== null);
        const said = Object.fromEntries(Object.entries(parsed.input).filter(([, value]) => value !== ''));
        const id = 'calc_1717243200000abcdef012345';
        const saved = {
          ...said,
          id,
          userId: 'u',
          createdAt,
          type: 'reconstitution',
          concentration,
          injectionVolume,
        };
        comesBack('calculations', CALCULATIONS.cells(saved as SavedCalculation));
      }),
      { numRuns: 300 },
    );
  });

  const vial = fc
    .record({
      totalAmount: decimal(100, 2),
      strength: fc.constantFrom('none', 'water', 'concentration'),
      number: decimal(20, 2),
      displacement: fc.constantFrom('0', '0.73'),
      reconstitutionDate: fc.option(day),
      expirationDate: fc.option(day),
      name: text.filter((name) => name.replace(/\s+/g, ' ') === name && name !== ''),
      notes: fc.option(text.filter((notes) => notes !== '')),
      cost: fc.option(fc.constantFrom('0', '39.9', '1000000')),
      what: fc.constantFrom('nothing', 'drawn', 'emptied', 'overdrawn', 'corrected', 'discarded'),
      at: instant,
    })
    .map(({ strength, number, what, at, ...facts }): Vial => {
      const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
      const told = {
        water: { waterMl: number.replace(/\.?0+$/, '') },
        concentration: { concentration: number.replace(/\.?0+$/, '') },
        none: {},
      }[strength];
      const id = 'vial_0123456789abcdef01234567';
      const totalAmount = facts.totalAmount.replace(/\.?0+$/, '');
      const fresh = newVial(
        { ...given, ...told, totalAmount, name: facts.name },
        { id, userId: 'u', createdAt: at },
      );
      const entry = { id: 'e1', at: new Date(at.getTime() + 1000), reason: null };
      if (what === 'drawn') return takeFrom(fresh, { ...entry, mg: String(Number(totalAmount) / 4) });
      if (what === 'emptied') return takeFrom(fresh, { ...entry, mg: totalAmount });
      if (what === 'overdrawn') return takeFrom(fresh, { ...entry, mg: `${Number(totalAmount) + 1}` });
      if (what === 'corrected') return correctTo(fresh, { ...entry, remaining: '0.01' });
      return what === 'discarded' ? discardAll(fresh, entry) : fresh;
    });

  it('restore every vial with its remaining amount, status and opening time', () => {
    fc.assert(
      fc.property(vial, (one) => comesBack('compounds', VIALS.cells(one))),
      { numRuns: 300 },
    );
  });
});

const DOSE = { takenAt: '2090-05-01 08:00', name: 'BPC-157', amount: '250', unit: 'mcg' };

describe('importing a row', () => {
  it('of a dose reads its time in the owner’s zone and identifies it by its content', () => {
    const rows = [DOSE, DOSE, { ...DOSE, amount: '250.0' }].map((cells, line) => ({
      type: 'doses' as const,
      line,
      cells,
    }));
    const { records, bad } = readRows(rows, SETTING);
    expect(bad).toEqual([]);
    expect(records).toMatchObject([{ takenAt: new Date('2090-05-01T06:00:00Z'), amount: '250', site: null }]);
  });

  it.each([
    [{ ...DOSE, takenAt: '2091-01-01T00:00Z' }, 'takenAt: The time is in the future'],
    [{ ...DOSE, takenAt: 'soon' }, 'takenAt: Enter a date and a time'],
    [{ ...DOSE, amount: '-1' }, 'amount: Dose must be above 0 and at most 100 mg'],
    [{ ...DOSE, unit: 'ml' }, 'unit: Dose unit must be mg, mcg or IU'],
    [{ ...DOSE, site: 'nose' }, 'site: Choose one of the listed sites'],
    [{ takenAt: DOSE.takenAt, amount: '1', unit: 'mg' }, 'name: Enter a name'],
  ])('of a dose %j: %s', (cells, reason) => {
    expect(readRow({ type: 'doses', line: 2, cells }, SETTING)).toEqual({ reason });
  });

  const CALCULATION = {
    id: 'calc_1717243200000abcdef012345',
    createdAt: '2090-01-01T00:00:00.000Z',
    peptideAmount: '5',
    waterVolume: '2',
    desiredDose: '0.25',
  };

  it.each([
    [{ id: 'x' }, 'id: This is not the id of a calculation'],
    [{ createdAt: 'x' }, 'createdAt: This is not a date and time'],
    [{ type: 'other' }, 'type: Only reconstitution calculations can be imported'],
    [{ peptideAmount: '500' }, 'peptideAmount: Peptide amount must be between 0.1mg and 100mg'],
    [{ concentration: '3' }, 'concentration: This does not match the amount, water and dose'],
    [{ concentration: 'x' }, 'concentration: This does not match the amount, water and dose'],
  ])('of a calculation with %j: %s', (wrong, reason) => {
    expect(readRow({ type: 'calculations', line: 2, cells: { ...CALCULATION, ...wrong } }, SETTING)).toEqual({
      reason,
    });
  });

  const VIAL = {
    id: 'vial_0123456789abcdef01234567',
    createdAt: '2090-01-01T00:00:00.000Z',
    name: 'A',
    totalAmount: '5',
  };

  it.each([
    [{ id: 'calc_1' }, 'id: This is not the id of a vial'],
    [{ openedAt: 'x' }, 'openedAt: This is not a date and time'],
    [{ totalAmount: '' }, 'totalAmount: Enter the amount in mg'],
    [{ remainingAmount: '6' }, 'remainingAmount: Remaining amount must be between 0 and the total amount'],
    [{ status: 'empty' }, 'status: From the other columns this must be sealed'],
  ])('of a vial with %j: %s', (wrong, reason) => {
    expect(readRow({ type: 'compounds', line: 2, cells: { ...VIAL, ...wrong } }, SETTING)).toEqual({
      reason,
    });
  });
});
