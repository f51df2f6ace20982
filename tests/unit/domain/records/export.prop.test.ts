import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calculate, calculateFigures } from '#app/domain/calculator/calculate.ts';
import type { CalculationInput, SavedCalculation } from '#app/domain/calculator/calculation.ts';
import { Decimal, fixedText, quotient, ratio } from '#app/domain/decimal/decimal.ts';
import { CALCULATIONS, certainText } from '#app/domain/records/calculations.ts';
import { csvTable, unionOfColumns, guardFormula, unguardFormula } from '#app/domain/records/csv-table.ts';
import { RECORD_TYPES, jsonWriter, reportRow } from '#app/domain/records/record-types.ts';
import { exportContentType, exportFileName } from '#app/domain/export/export-file.ts';
import { EXPORT_TYPES } from '#app/domain/records/type-names.ts';

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", ' ', '＝', '＋', '－', '＠'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
});

describe('text in a spreadsheet', () => {
  it('never begins like a formula, and is restored unchanged', () => {
    fc.assert(
      fc.property(text, (original) => {
        const cell = guardFormula(original);
        expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
        expect(unguardFormula(cell)).toBe(original);
      }),
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ["'quoted", "''quoted"],
    ['BPC-157', 'BPC-157'],
    ['', ''],
    [' =1', ' =1'],
    ['＝1+1', "'＝1+1"],
    ['＠SUM(1)', "'＠SUM(1)"],
  ])('%j is written as %j', (original, cell) => expect(guardFormula(original)).toBe(cell));

  it('keeps an apostrophe that another program wrote', () => {
    expect(unguardFormula("'tis")).toBe("'tis");
  });
});

const whole = fc.integer({ min: 1, max: 10 ** 6 });

describe('rounding from a double', () => {
  it('gives the half-up text of the exact value, if it gives one', () => {
    fc.assert(
      fc.property(whole, whole, fc.constantFrom(2, 3), (n, d, decimals) => {
        const shown = certainText(n / d, decimals);
        if (shown !== null)
          expect(shown).toBe(fixedText(quotient(ratio(new Decimal(n)), ratio(new Decimal(d))), decimals));
      }),
      { numRuns: 2000 },
    );
  });

  it('gives no text close to the middle between two texts', () => {
    expect(certainText(1.005, 2)).toBeNull();
    expect(certainText(2.675, 2)).toBeNull();
    expect(certainText(2.5, 2)).toBe('2.50');
    expect(certainText(1e12, 2)).toBeNull();
  });
});

const decimalText = (max: number) =>
  fc
    .tuple(fc.nat({ max: max * 1000 - 1 }), fc.constantFrom(1, 10, 1000))
    .map(([n, d]) => ((n + 1) / 1000 / (1000 / d)).toFixed(6));

const input: fc.Arbitrary<CalculationInput> = fc
  .record({
    amount: decimalText(100),
    water: decimalText(10),
    part: fc.integer({ min: 1, max: 1000 }),
    mcg: fc.boolean(),
  })
  .map(({ amount, water, part, mcg }) => ({
    solveFor: 'volume' as const,
    peptideAmount: amount,
    waterVolume: water,
    desiredDose: ((Number(amount) * part * (mcg ? 1000 : 1)) / 1000).toFixed(6),
    desiredDoseUnit: mcg ? ('mcg' as const) : ('mg' as const),
    syringe: 'u100-1ml' as const,
    displacement: '0',
  }))
  .filter(({ desiredDose }) => Number(desiredDose) > 0);

function saved(calculation: CalculationInput, more: Partial<SavedCalculation> = {}): SavedCalculation {
  const { concentration, injectionVolume } = calculateFigures(calculation);
  const createdAt = new Date('2026-03-10T12:00:00Z');
  return {
    ...calculation,
    id: 'calc_1',
    userId: 'u',
    createdAt,
    type: 'reconstitution',
    concentration,
    injectionVolume,
    ...more,
  };
}

const columnsOf = (cells: readonly (string | null)[]) =>
  Object.fromEntries(
    RECORD_TYPES.calculations.columns.map(({ name }, index) => [name, cells[index] ?? null]),
  );

describe('the exported row of a calculation', () => {
  it('shows what the calculator shows, to the last digit', () => {
    fc.assert(
      fc.property(input, (calculation) => {
        const row = columnsOf(CALCULATIONS.cells(saved(calculation)));
        const shown = calculate(calculation);
        expect(row['concentrationText']).toBe(shown.concentrationText);
        expect(row['injectionVolumeText']).toBe(shown.injectionVolumeText);
        expect(Number(row['desiredDose'])).toBe(shown.desiredDose);
        expect(Number(row['peptideAmount'])).toBe(shown.peptideAmount);
        expect(Number(row['waterVolume'])).toBe(shown.waterVolume);
      }),
      { numRuns: 500 },
    );
  });

  it('has numbers as the shortest decimals, without exponents', () => {
    fc.assert(
      fc.property(input, (calculation) => {
        for (const { name, kind } of RECORD_TYPES.calculations.columns) {
          const cell = columnsOf(CALCULATIONS.cells(saved(calculation)))[name] ?? '';
          // Some containers have none of them.
          const isOptional = ['measuredAmount', 'clickMl', 'sprayMl', 'pieces', 'vials'].includes(name);
          if (kind === 'number' && !isOptional) expect(cell).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        }
      }),
    );
  });

  it('has 1.01 for 2.01 mg in 2 ml', () => {
    const calculation = {
      solveFor: 'volume',
      peptideAmount: '2.01',
      waterVolume: '2',
      desiredDose: '0.1',
      desiredDoseUnit: 'mg',
      syringe: 'u100-1ml',
      displacement: '0',
    } as const;
    expect(columnsOf(CALCULATIONS.cells(saved(calculation)))).toMatchObject({
      concentration: '1.005',
      concentrationText: '1.01',
    });
  });

  it('includes the volume of the powder and the number that was solved for', () => {
    const water = {
      solveFor: 'water',
      peptideAmount: '5',
      drawVolume: '0.1',
      desiredDose: '300',
      desiredDoseUnit: 'mcg',
      syringe: 'u100-1ml',
      displacement: '10',
    } as const;
    const row = columnsOf(CALCULATIONS.cells(saved(water)));
    expect(Number(row['waterVolume'])).toBe(calculate(water).waterVolume);
    expect(row).toMatchObject({ desiredDose: '0.3', concentrationText: '3.00' });
    const dose = { ...water, solveFor: 'dose', waterVolume: '2', desiredDose: undefined } as const;
    expect(Number(columnsOf(CALCULATIONS.cells(saved(dose)))['desiredDose'])).toBe(
      calculate(dose).desiredDose,
    );
  });
});

describe('the CSV table of an export', () => {
  it('has the documented columns', () => {
    expect(csvTable(['calculations'], true).header.join(',')).toBe(
      'dataType,exportDate,userEmail,version,totalRecords,id,createdAt,type,peptideName,peptideAmount,waterVolume,desiredDose,concentration,injectionVolume,concentrationText,injectionVolumeText,notes,components,doseOf,measuredAmount,form,amountUnit,clickMl,sprayMl,pieces,vials',
    );
    expect(csvTable(['compounds'], false).header.join(',')).toBe(
      'dataType,id,createdAt,name,concentration,totalAmount,remainingAmount,waterMl,displacement,reconstitutionDate,expirationDate,beyondUseDate,openedAt,status,storageTemp,lot,supplierId,cost,currency,notes,lotId,components,form,amountUnit,clickMl,sprayMl,pieces',
    );
  });

  it('makes every row as wide as the table', () => {
    const table = csvTable([...EXPORT_TYPES], true);
    const row = table.placer('calculations')(RECORD_TYPES.calculations.columns.map(({ name }) => `=${name}`));
    expect(row).toHaveLength(table.header.length);
    expect(row[table.header.indexOf('notes')]).toBe("'=notes");
    expect(row[table.header.indexOf('concentration')]).toBe('=concentration');
    const metadata = { exportDate: 'd', userEmail: '=x@example.org', version: 'v', totalRecords: 2 };
    expect(table.metadataRow(metadata).slice(0, 6)).toEqual([
      'metadata',
      'd',
      "'=x@example.org",
      'v',
      '2',
      '',
    ]);
  });

  it('has each column once, whatever types are chosen', () => {
    const names = unionOfColumns([...EXPORT_TYPES]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the JSON and the report of an export', () => {
  it('write numbers with every digit, and text as text', () => {
    const cells = RECORD_TYPES.calculations.columns.map(({ kind }) =>
      kind === 'number' ? '0.1234567890123456789' : '"x"\n',
    );
    const line = jsonWriter('calculations')(cells);
    expect(line).toContain('"peptideAmount":0.1234567890123456789,');
    expect(JSON.parse(line)).toMatchObject({ notes: '"x"\n' });
    expect(line).not.toContain('\n');
    expect(JSON.parse(jsonWriter('calculations')([]))).toMatchObject({ id: null, concentration: null });
  });

  it('print existing columns, with times in the reader’s zone', () => {
    for (const type of EXPORT_TYPES) {
      const names = RECORD_TYPES[type].columns.map(({ name }) => name);
      for (const { source } of RECORD_TYPES[type].printColumns) expect(names).toContain(source);
    }
    const cells = RECORD_TYPES.calculations.columns.map(({ name }) => (name === 'notes' ? null : name));
    expect(reportRow('calculations', (iso) => `<${iso}>`)(cells)).toEqual(
      RECORD_TYPES.calculations.printColumns.map(({ source }) =>
        source === 'createdAt'
          ? '<createdAt>'
          : source === 'notes'
            ? ''
            : // Amounts are followed by their unit.
              ['peptideAmount', 'desiredDose', 'concentrationText'].includes(source)
              ? `${source} amountUnit`
              : source,
      ),
    );
  });

  it('name the file by day and format', () => {
    expect(exportFileName('2026-03-10', 'csv')).toBe('vialbook-export-2026-03-10.csv');
    expect(exportContentType('pdf')).toBe('application/pdf');
  });
});
