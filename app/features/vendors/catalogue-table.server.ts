import { parse } from 'csv-parse/sync';
import { fieldError } from '#app/domain/errors.ts';
import {
  catalogueField,
  readCatalogue,
  REQUIRED_CATALOGUE_FIELDS,
  type Catalogue,
  type CatalogueLine,
} from '#app/domain/vendors/vendor-schema.ts';

/** A catalogue as text. */
export interface CatalogueReading {
  text: string;
  /** The currency of lines without one. */
  currency: string;
}

/** The most products in a catalogue. */
const MAX_CATALOGUE_LINES = 1000;

const MAX_TEXT = 1024 * 1024;

/** The column separator, taken from the first line. With tabs or semicolons, commas may be decimal ones. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r?\n/, 1);
  return ['\t', ';'].find((mark) => header.includes(mark)) ?? ',';
}

interface ParsedLine {
  record: Record<string, string>;
  info: { lines: number };
}

function linesOf(text: string): CatalogueLine[] {
  if (text.length > MAX_TEXT) throw fieldError('text', 'The catalogue is larger than 1 MB.');
  try {
    const parsed = parse<ParsedLine>(text, {
      bom: true,
      columns: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count: true,
      trim: true,
      delimiter: delimiterOf(text),
      to: MAX_CATALOGUE_LINES + 1,
    });
    return parsed.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch {
    throw fieldError(
      'text',
      'This is not a table. The first line must name the columns, and each line after it must be a product.',
    );
  }
}

function checkTable(lines: readonly CatalogueLine[]): void {
  const [first] = lines;
  if (first === undefined) throw fieldError('text', 'The catalogue has no products.');
  if (lines.length > MAX_CATALOGUE_LINES)
    throw fieldError('text', `A catalogue can have at most ${MAX_CATALOGUE_LINES} products.`);
  const fields = new Set(Object.keys(first.cells).map(catalogueField));
  const missing = REQUIRED_CATALOGUE_FIELDS.filter((field) => !fields.has(field));
  if (missing.length > 0) throw fieldError('text', `These columns are missing: ${missing.join(', ')}.`);
}

/** The products of a catalogue. Runs in a thread. @throws AppError INVALID_INPUT for a text that is not a catalogue */
export function readCatalogueTable(text: string, currency: string): Catalogue {
  const lines = linesOf(text);
  checkTable(lines);
  return readCatalogue(lines, currency);
}
