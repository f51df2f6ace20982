import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerProblem, rowsOfTable } from '#app/domain/records/csv-table.ts';
import { quotedNumbers } from '#app/domain/import/json-records.ts';
import { jsonRows } from '#tests/support/import-files.ts';

describe('an import file', () => {
  it('keeps every digit of a number, and leaves numbers in texts as they are', () => {
    const long = '0.1234567890123456789';
    expect(JSON.parse(quotedNumbers(`{"a":${long},"b":"12 \\"3\\" 4","c":null}`))).toEqual({
      a: long,
      b: '12 "3" 4',
      c: null,
    });
  });

  it.each([
    [[], 'This is not an export: it must be a JSON object.'],
    [{ users: [] }, 'This is not an export: exports have no "users".'],
    [{ calculations: { $gt: '' } }, '"calculations" must be a list.'],
  ])('that is %j is refused as a whole', (value, problem) =>
    expect(jsonRows(JSON.stringify(value))).toEqual({ problem }),
  );

  it.each([
    ['', 'This file is not valid JSON.'],
    ['{"compounds":[', 'This file is not valid JSON.'],
    ['{"compounds":[]', 'This file is not valid JSON.'],
    ['{"compounds":[{"id":1}{"id":2}]}', 'This file is not valid JSON.'],
    ['{"compounds":[{"id":tru}]}', 'This file is not valid JSON.'],
    ['{"compounds":[,]}', 'This file is not valid JSON.'],
    ['{"compounds":[{"id":1},]}', 'This file is not valid JSON.'],
    ['{"compounds":[]},', 'This file is not valid JSON.'],
    ['{"compounds" []}', 'This file is not valid JSON.'],
    ['{compounds:[]}', 'This file is not valid JSON.'],
    ['{"compounds":[]} {}', 'This file is not valid JSON.'],
    ['{"metadata":[]}', 'This file is not valid JSON.'],
    ['null', 'This file is not valid JSON.'],
    [`{"compounds":[${'['.repeat(100)}`, 'This is not an export: it is nested too deeply.'],
    [`{"compounds":["${'x'.repeat(300_000)}`, 'This is not an export: one of its records is too large.'],
  ])('that reads %.40s is refused as a whole', (text, problem) => {
    for (const length of [1, 7, 1_000_000]) {
      if (text.length < 1000 || length > 1) expect(jsonRows(text, length)).toEqual({ problem });
    }
  });

  it('is read piece by piece as JSON.parse would read it, wherever the pieces end', () => {
    const record = fc.dictionary(fc.constantFrom('id', 'name', 'notes', 'lot'), fc.string());
    const file = fc.record({ metadata: fc.jsonValue(), compounds: fc.array(record) });
    const written = fc.tuple(file, fc.constantFrom(undefined, 1, '\t'), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(written, ([{ metadata, compounds }, blanks, length]) => {
        fc.pre(!Array.isArray(metadata));
        const read = jsonRows(JSON.stringify({ metadata, compounds }, null, blanks), length);
        const filled = compounds.map((each) =>
          Object.fromEntries(Object.entries(each).filter(([, cell]) => cell !== '')),
        );
        expect(read).toMatchObject({ bad: [], rows: filled.map((cells, at) => ({ line: at + 1, cells })) });
      }),
    );
  });

  it.each([
    [{ id: { $gt: '' } }, 'id: This must be text or a number'],
    [{ __v: '1' }, '__v: Unknown field'],
    ['text', 'This is not a record'],
  ])('with the record %j reports what is wrong with it', (record, reason) => {
    expect(jsonRows(JSON.stringify({ compounds: [record] }))).toEqual({
      rows: [],
      bad: [{ type: 'compounds', line: 1, reason }],
    });
  });

  it('may have empty lists', () => {
    expect(jsonRows('{"nutrition": [], "metadata": {"version": 1}}')).toEqual({ rows: [], bad: [] });
  });

  it('does not confuse brackets in texts with others', () => {
    expect(jsonRows('{"compounds":[{"name":"[[[[[[[[[[\\"{"}]}')).toMatchObject({ rows: [{ line: 1 }] });
  });

  it('refuses cells longer than any that exports contain', () => {
    const long = 'x'.repeat(301);
    expect(jsonRows(JSON.stringify({ compounds: [{ status: long }] }))).toMatchObject({
      bad: [{ reason: 'status: This can have at most 300 characters' }],
    });
    expect(rowsOfTable(['dataType', 'status'], [{ line: 2, cells: ['compounds', long] }]).bad).toEqual([
      { type: 'compounds', line: 2, reason: 'status: This can have at most 300 characters' },
    ]);
  });

  it.each([
    [
      ['a', 'b'],
      'The first line must be the header of an export, or contain the columns takenAt, name, amount, unit.',
    ],
    [['dataType', 'id', 'id'], 'Two columns in the first line have the same name.'],
    [['takenAt', 'name', 'amount', 'unit', 'mood'], 'Unknown column: mood'],
    [['unit', 'amount', 'name', 'takenAt'], null],
  ])('that begins with %j: %s', (header, problem) => expect(headerProblem(header)).toBe(problem));

  it('names the line of a row that is too short, of an unknown type, or in a foreign column', () => {
    const header = ['dataType', 'id', 'lot'];
    const lines = [['calculations'], ['users', '', ''], ['calculations', 'x', 'lot']].map((cells, index) => ({
      line: index + 2,
      cells,
    }));
    expect(rowsOfTable(header, lines).bad).toEqual([
      { type: 'calculations', line: 2, reason: 'This line has 1 cell, but the first line has 3' },
      { type: 'users', line: 3, reason: 'dataType: Unknown data type' },
      { type: 'calculations', line: 4, reason: 'lot: Unknown column for this type of data' },
    ]);
  });
});
