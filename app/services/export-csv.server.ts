import { stringify } from 'csv-stringify/sync';
import { csvTable, type ExportMetadata } from '#app/domain/export/index.ts';
import type { ExportSection } from './export-rows.server.ts';

/** Says "UTF-8" to spreadsheets. */
const BYTE_ORDER_MARK = '\ufeff';

/** RFC 4180: CRLF, quotes only where needed. Called once a batch: a stream of single rows costs twice as much. */
const lines = (rows: string[][]): string => stringify(rows, { record_delimiter: 'windows', cast: {} });

/** Characters that leave together: a write of the system costs as much as a hundred rows. */
const CHUNK = 64 * 1024;

/** The same text in larger pieces. */
async function* gathered(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = '';
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length < CHUNK) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}

async function* rowsOf(
  sections: readonly ExportSection[],
  metadata: ExportMetadata | null,
): AsyncGenerator<string> {
  const table = csvTable(
    sections.map(({ type }) => type),
    metadata !== null,
  );
  yield BYTE_ORDER_MARK + lines([table.header, ...(metadata === null ? [] : [table.metadataRow(metadata)])]);
  for (const { type, batches } of sections) {
    const place = table.placer(type);
    for await (const batch of batches) yield lines(batch.map(place));
  }
}

/** The CSV file, piece by piece. */
export function writeCsv(
  sections: readonly ExportSection[],
  metadata: ExportMetadata | null,
): AsyncGenerator<string> {
  return gathered(rowsOf(sections, metadata));
}
