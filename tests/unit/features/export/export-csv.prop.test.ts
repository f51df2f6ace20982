import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLines } from '#app/features/export/export-csv.server.ts';

const cell = fc.oneof(
  fc.constantFrom(
    '',
    '"',
    '""',
    ',',
    '\r',
    '\n',
    '\r\n',
    ' ',
    'BPC-157',
    'morning, before food',
    'vial "B"',
    '\u2028',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a', ' ', ';', '\t', '\0'), maxLength: 8 }),
);
const rows = fc
  .integer({ min: 2, max: 6 })
  .chain((columns) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 20 }),
  );

const OPTIONS = { record_delimiter: 'windows', quote_record_delimiter: true, cast: {} } as const;

it('export lines equal those of csv-stringify, and parse back unchanged', () => {
  fc.assert(
    fc.property(rows, (table) => {
      const text = csvLines(table.map((row) => [...row]));
      expect(text).toBe(stringify(table, OPTIONS));
      expect(parse(text, { record_delimiter: '\r\n' })).toEqual(table);
    }),
    { numRuns: 500 },
  );
});
