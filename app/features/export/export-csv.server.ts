import { stringify } from 'csv-stringify/sync';
import { csvTable } from '#app/domain/records/csv-table.ts';
import type { ExportMetadata } from '#app/domain/export/export-file.ts';
import type { ExportSection } from './export-rows.server.ts';

/** Tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** The characters for which csv-stringify quotes a cell. */
const NEEDS_QUOTES = /[",\r\n]/;
const QUOTED = /"(?:[^"]|"")*"/g;

/** The cells as csv-stringify quotes them; each of them needs it. */
function quoted(cells: readonly string[]): string[] {
  const text = stringify(
    cells.map((cell) => [cell]),
    { cast: {} },
  );
  const found = text.match(QUOTED) ?? [];
  if (found.length !== cells.length) throw new Error('a cell was not quoted');
  return found;
}

/**
 * Rows of a CSV file, as csv-stringify writes them (RFC 4180: CRLF, quotes only where needed), for tables of two and more
 * columns. Only cells that need quotes go through it, a batch at a time: passing every cell takes as long as reading the
 * rows and computing their figures.
 * @param rows changed in place
 */
export function csvLines(rows: string[][]): string {
  const cells: string[] = [];
  const places: (readonly [row: string[], at: number])[] = [];
  for (const row of rows) {
    for (let at = 0; at < row.length; at += 1) {
      const cell = row[at] as string;
      if (cell === '' || !NEEDS_QUOTES.test(cell)) continue;
      cells.push(cell);
      places.push([row, at]);
    }
  }
  if (cells.length > 0)
    quoted(cells).forEach((cell, index) => {
      const [row, at] = places[index] as (typeof places)[number];
      row[at] = cell;
    });
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}

/** The CSV file, piece by piece. */
export async function* writeCsv(
  sections: readonly ExportSection[],
  metadata: ExportMetadata | null,
): AsyncGenerator<string> {
  const table = csvTable(
    sections.map(({ type }) => type),
    metadata !== null,
  );
  yield (
    BYTE_ORDER_MARK + csvLines([table.header, ...(metadata === null ? [] : [table.metadataRow(metadata)])])
  );
  for (const { type, batches } of sections) {
    const place = table.placer(type);
    for await (const batch of batches) yield csvLines(batch.map(place));
  }
}
