import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { anyVolumeInput } from '#tests/support/calculator-arbitraries.ts';
import { CALCULATOR_VECTORS } from '#tests/support/calculator-vectors.ts';
import { runCli } from '#tests/support/cli.ts';

const HEADER = 'peptideAmount,waterVolume,desiredDose,desiredDoseUnit,peptideName';
const RESULTS = 'concentration,injectionVolume,concentrationText,injectionVolumeText,units,warnings,error';

const batch = (stdin: string, ...args: string[]) => runCli(['calc', '--batch', '-', ...args], { stdin });
const rowsOf = (csv: string) => parse(csv, { columns: true }) as Record<string, string>[];
const objectsOf = (ndjson: string) =>
  ndjson
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vialbook-batch-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('rows that can be calculated', () => {
  const csv = [
    HEADER,
    ...CALCULATOR_VECTORS.map((v) => `${v.amount},${v.water},${v.dose},${v.doseUnit},${v.name}`),
    '',
  ].join('\n');

  test('the published vectors', async () => {
    const { code, stdout, stderr } = await batch(csv);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')[0]).toBe(`${HEADER},${RESULTS}`);
    expect(rowsOf(stdout)).toEqual(
      CALCULATOR_VECTORS.map((vector) => ({
        peptideAmount: vector.amount,
        waterVolume: vector.water,
        desiredDose: vector.dose,
        desiredDoseUnit: vector.doseUnit,
        peptideName: vector.name,
        concentration: String(vector.concentration),
        injectionVolume: String(vector.injectionVolume),
        concentrationText: vector.concentrationText,
        injectionVolumeText: vector.injectionVolumeText,
        units: vector.unitsText,
        warnings: vector.warnings.join(';'),
        error: '',
      })),
    );
  });

  test('as one JSON object per line', async () => {
    const { code, stdout } = await batch(csv, '--format', 'ndjson');
    expect(code).toBe(0);
    expect(objectsOf(stdout)).toEqual(
      CALCULATOR_VECTORS.map((vector) => ({
        peptideAmount: vector.amount,
        waterVolume: vector.water,
        desiredDose: vector.dose,
        desiredDoseUnit: vector.doseUnit,
        peptideName: vector.name,
        concentration: vector.concentration,
        injectionVolume: vector.injectionVolume,
        concentrationText: vector.concentrationText,
        injectionVolumeText: vector.injectionVolumeText,
        units: Number(vector.unitsText),
        warnings: vector.warnings,
      })),
    );
    expect((await batch(csv, '--json')).stdout).toBe(stdout);
  });

  test('from a file', async () => {
    const file = path.join(folder, 'doses.csv');
    await writeFile(file, csv);
    const { code, stdout } = await runCli(['calc', '--batch', file]);
    expect(code).toBe(0);
    expect(stdout).toBe((await batch(csv)).stdout);
  });

  test('law: a row equals a single calculation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyVolumeInput, { minLength: 1, maxLength: 20 }), async (inputs) => {
        const lines = inputs.map(
          (input) => `${input.peptideAmount},${input.waterVolume},${input.desiredDose}`,
        );
        const { stdout } = await batch(['peptideAmount,waterVolume,desiredDose', ...lines].join('\n'));
        const expected = inputs.map((input) => {
          const single = { ...input, syringe: 'u100-1ml', mark: undefined, displacement: '0' } as const;
          const { concentrationText, injectionVolumeText, unitsText, warnings } = calculate(single);
          return [
            concentrationText,
            injectionVolumeText,
            unitsText,
            warnings.map(({ code }) => code).join(';'),
          ];
        });
        const got = rowsOf(stdout).map((row) => [
          row.concentrationText,
          row.injectionVolumeText,
          row.units,
          row.warnings,
        ]);
        expect(got).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  test('a row with a measured content uses it', async () => {
    const { stdout } = await batch(
      'peptideAmount,measuredAmount,waterVolume,desiredDose\n5,4.8,2,0.25\n5,,2,0.25\n5,0,2,0.25\n',
    );
    expect(rowsOf(stdout).map(({ concentrationText, units }) => [concentrationText, units])).toEqual([
      ['2.40', '10.42'],
      ['2.50', '10'],
      ['', ''],
    ]);
  });

  test('syringe, mark and displacement are set for all rows', async () => {
    const { stdout } = await batch(
      'peptideAmount,waterVolume,desiredDose\n100,2,10\n',
      '--syringe',
      'u40-1ml',
      '--displacement',
      '5',
    );
    expect(rowsOf(stdout)[0]).toMatchObject({
      units: '10',
      injectionVolumeText: '0.250',
      concentrationText: '40.00',
    });
  });

  test('small numbers are written without an exponent', async () => {
    const { stdout } = await batch('peptideAmount,waterVolume,desiredDose\n100,1,0.00001\n');
    expect(rowsOf(stdout)[0]?.injectionVolume).toBe('0.0000001');
  });
});

describe('the shape of the input', () => {
  test('columns in any order, others passed on, no unit means mg', async () => {
    const { stdout } = await batch('lot,desiredDose,peptideAmount,waterVolume\nA1,0.25,5,2\n');
    expect(stdout).toBe(
      `lot,desiredDose,peptideAmount,waterVolume,${RESULTS}\nA1,0.25,5,2,2.5,0.1,2.50,0.100,10,,\n`,
    );
  });

  test('Windows line ends, a byte order mark, blank lines and no last line end', async () => {
    const { code, stdout } = await batch(`\uFEFF${HEADER}\r\n\r\n5,2,250,mcg,BPC-157\r\n   \r\n5,2,0.25,,x`);
    expect(code).toBe(0);
    expect(rowsOf(stdout).map((row) => [row.peptideName, row.units])).toEqual([
      ['BPC-157', '10'],
      ['x', '10'],
    ]);
  });

  test('quoted fields: commas, quotes and line breaks in a name', async () => {
    const { code, stdout } = await batch(
      `${HEADER}\n5,2,250,mcg,"BPC-157, ""blue""\ncap"\n"5","2","0,25",mg,plain\n`,
    );
    expect(code).toBe(0);
    expect(rowsOf(stdout).map((row) => [row.peptideName, row.units])).toEqual([
      ['BPC-157, "blue"\ncap', '10'],
      ['plain', '10'],
    ]);
  });

  test('a JSON object per line: numbers or strings in, the same plus results out', async () => {
    const { code, stdout } = await batch(
      '{"peptideAmount":2.01,"waterVolume":2,"desiredDose":"0.1","lot":7}\n\n{"peptideAmount":5,"waterVolume":2,"desiredDose":250,"desiredDoseUnit":"mcg"}\n',
    );
    expect(code).toBe(0);
    expect(objectsOf(stdout)).toMatchObject([
      { peptideAmount: 2.01, desiredDose: '0.1', lot: 7, concentrationText: '1.01', units: 9.95 },
      { desiredDose: 250, concentrationText: '2.50', units: 10 },
    ]);
  });

  test('JSON in, CSV out', async () => {
    const { stdout } = await batch(
      '{"peptideAmount":5,"waterVolume":2,"desiredDose":0.25,"peptideName":"a, b"}\n',
      '--format',
      'csv',
    );
    expect(stdout).toBe(
      `peptideAmount,waterVolume,desiredDose,desiredDoseUnit,peptideName,${RESULTS}\n5,2,0.25,,"a, b",2.5,0.1,2.50,0.100,10,,\n`,
    );
  });

  test('semicolons between fields, decimal commas, and both in the results', async () => {
    const columns = `${HEADER.replaceAll(',', ';')};components`;
    const { code, stdout, stderr } = await batch(
      [
        `\uFEFF${columns}`,
        '5;2;1;mg;"x;y";',
        '5,5;2;0,25;mg;decimal, comma;',
        ';2;0,25;mg;;"A:2,5;B:5"',
        '5.5;2;0.25;mg;point;',
        '5;2;1;mg;as before;',
        '',
      ].join('\r\n'),
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      `${columns};${RESULTS.replaceAll(',', ';')}`,
      '5;2;1;mg;"x;y";;2,5;0,4;2,50;0,400;40;;',
      '5,5;2;0,25;mg;decimal, comma;;2,75;0,09090909090909091;2,75;0,091;9,09;SMALL_VOLUME;',
      ';2;0,25;mg;;"A:2,5;B:5";1,25;0,2;1,25;0,200;20;;',
      '5.5;2;0.25;mg;point;;2.75;0.09090909090909091;2.75;0.091;9.09;SMALL_VOLUME;',
      '5;2;1;mg;as before;;2.5;0.4;2.50;0.400;40;;',
      '',
    ]);
    const json = await batch('desiredDose;waterVolume;peptideAmount\n0,25;2;5\n', '--format', 'ndjson');
    expect(objectsOf(json.stdout)).toMatchObject([{ desiredDose: '0,25', units: 10 }]);
  });

  test('a comma that may separate thousands is refused, whatever separates the fields', async () => {
    for (const csv of ['5;2;2,500;mcg\n', '5,2,"2,500",mcg\n']) {
      const sign = csv.includes(';') ? ';' : ',';
      const columns = ['peptideAmount', 'waterVolume', 'desiredDose', 'desiredDoseUnit'].join(sign);
      const { code, stderr } = await batch(`${columns}\n${csv}`);
      expect(code).toBe(2);
      expect(stderr).toContain('2,500 can be read as 2500 or as 2.5; write it without the comma');
    }
  });

  test('law: the result does not depend on how the input is cut into chunks', async () => {
    const text = `${HEADER}\n5,2,250,mcg,"é, ""x""\ny"\n0,2,1,mg,Семаглутид\n10,5,2,mg,z\n`;
    const whole = await batch(text);
    const bytes = Buffer.from(text);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (size) => {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        expect(await runCli(['calc', '--batch', '-'], { stdin: Readable.from(chunks) })).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });
});

describe('rows that cannot be calculated', () => {
  test('are reported with their line number, the others are calculated, exit 2', async () => {
    const { code, stdout, stderr } = await batch(
      [
        HEADER,
        '5,2,250,mcg,good',
        '101,2,1,mg,much',
        '5,2,250,mcg,good',
        'x,11,0,g,all wrong',
        '5,2',
        '5,2,1,mg,a,b',
        '',
      ].join('\n'),
    );
    expect(code).toBe(2);
    const rows = rowsOf(stdout);
    expect(rows.map((row) => row.concentrationText)).toEqual(['2.50', '', '2.50', '', '', '']);
    expect(rows.map((row) => row.error)).toEqual([
      '',
      'line 3: Peptide amount must be between 0.1mg and 100mg',
      '',
      'line 5: peptideAmount: Enter a number, such as 5; waterVolume: Water volume must be between 0.5ml and 10ml; ' +
        'desiredDose: Desired dose must be positive and less than total peptide amount; desiredDoseUnit: Dose unit must be mg, mcg or IU',
      'line 6: This row has 2 fields, the header has 5',
      'line 7: This row has 6 fields, the header has 5',
    ]);
    const told = rows.flatMap((row) => row.error || []);
    const reported = [...told, '4 of 6 rows could not be calculated'].map((line) => `vialbook: ${line}\n`);
    expect(stderr).toBe(reported.join(''));
  });

  test('a row that gives a draw beside water and dose contradicts itself', async () => {
    const csv = await batch('peptideAmount,waterVolume,desiredDose,drawVolume\n5,2,1,0.1\n5,2,1,\n');
    expect(csv.code).toBe(2);
    expect(rowsOf(csv.stdout).map((row) => [row.units, row.error])).toEqual([
      ['', 'line 2: Enter only two of water, dose and draw; the third is calculated'],
      ['40', ''],
    ]);
    const json = await batch('{"peptideAmount":5,"waterVolume":2,"desiredDose":1,"drawVolume":0.1}\n');
    expect([json.code, json.stderr]).toEqual([2, expect.stringContaining('line 1: Enter only two')]);
  });

  test('line numbers count the lines of the file, even after quoted line breaks and blank lines', async () => {
    const { stderr } = await batch(`${HEADER}\n5,2,1,mg,"two\nlines"\n\n0,2,1,mg,x\n`);
    expect(stderr).toContain('line 5: Peptide amount');
  });

  test('a quote that is never closed affects only its own row', async () => {
    const { code, stdout } = await batch(`${HEADER}\n5,2,1,mg,"open\n5,2,250,mcg,good\n10,5,2,mg,good\n`);
    expect(code).toBe(2);
    const rows = rowsOf(stdout);
    expect(rows.map((row) => row.units)).toEqual(['', '10', '100']);
    expect(rows[0]).toMatchObject({
      peptideAmount: '5,2,1,mg,"open',
      error: 'line 2: The quotes in this row do not match',
    });
  });

  test('a quote in the middle of a field is an error of that row', async () => {
    const { stdout } = await batch(`${HEADER}\n5,2,1,mg,a"b"c\n5,2,250,mcg,good\n`);
    expect(rowsOf(stdout).map((row) => row.error)).toEqual([
      'line 2: The quotes in this row do not match',
      '',
    ]);
  });

  test('lines that are not JSON objects', async () => {
    const { code, stdout } = await batch(
      '{"peptideAmount":5,"waterVolume":2,"desiredDose":1}\n[1]\n{oops\n{"peptideAmount":{"$gt":0}}\n',
    );
    expect(code).toBe(2);
    expect(objectsOf(stdout).map((row) => row['error'])).toEqual([
      undefined,
      'line 2: This line is not a JSON object',
      'line 3: This line is not a JSON object',
      expect.stringContaining('line 4: Peptide amount must be'),
    ]);
  });
});
