import { Readable, pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { headerProblem, rowsOfTable, type TableLine } from '#app/domain/records/csv-table.ts';
import type { ImportSetting, RawFile } from '#app/domain/records/record-type.ts';
import {
  fileTooLarge,
  invalid,
  tooManyRecords,
  UPLOAD_LIMITS,
  type ImportLimits,
} from './import-limits.server.ts';

/** The bytes of a file: all at once, or piece by piece. */
export type ImportBytes = Uint8Array | AsyncIterable<Uint8Array>;

/** Most characters of a table's line. */
const MAX_TABLE_RECORD = 200_000;
/** Bytes in a piece, and lines and cells in a batch. */
const PIECE = 64 * 1024;
const LINES = 500;
const CELLS = 100_000;

const NO_TEXT = 'Choose a CSV, JSON or XML file, or a zip with one.';

async function* piecesOf(bytes: ImportBytes): AsyncGenerator<Uint8Array> {
  const chunks = bytes instanceof Uint8Array ? [bytes] : bytes;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.byteLength; at += PIECE) yield chunk.subarray(at, at + PIECE);
}

function decoded(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch (cause) {
    throw invalid(NO_TEXT, cause);
  }
}

/** Decodes UTF-8 text. @throws AppError INVALID_INPUT for anything else */
async function* textsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of bytes) {
    const text = decoded(decoder, piece);
    if (text.includes('\0')) throw invalid(NO_TEXT);
    if (text !== '') yield text;
  }
  const rest = decoded(decoder);
  if (rest !== '') yield rest;
}

async function* withFirst(first: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* texts;
}

interface ParsedLine {
  record: string[];
  info: { lines: number };
}

/** The lines of a table as they are parsed. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<TableLine> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_TABLE_RECORD,
  });
  // Errors in the pipeline surface where the parser is read.
  pipeline(Readable.from(texts), parser, () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedLine>)
      yield { line: info.lines, cells: record };
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw invalid('This CSV file is not valid. Check its quotation marks.', cause);
  }
}

function checkedHeader({ cells }: TableLine): string[] {
  const header = cells.map((name) => name.trim());
  const problem = headerProblem(header);
  if (problem !== null) throw invalid(problem);
  return header;
}

async function* readTable(texts: AsyncIterable<string>): AsyncGenerator<RawFile> {
  let header: string[] | null = null;
  let waiting: TableLine[] = [];
  let cells = 0;
  for await (const line of linesOf(texts)) {
    if (header === null) header = checkedHeader(line);
    else waiting.push(line);
    cells += line.cells.length;
    if (waiting.length < LINES && cells < CELLS) continue;
    yield rowsOfTable(header, waiting);
    waiting = [];
    cells = 0;
  }
  if (header !== null && waiting.length > 0) yield rowsOfTable(header, waiting);
}

/** Chooses the reader by how the text begins. */
async function* readTexts(
  first: string,
  texts: AsyncIterable<string>,
  limits: ImportLimits,
  setting: ImportSetting,
): AsyncGenerator<RawFile> {
  if (!/^\s*[<{[]/.test(first)) return yield* readTable(texts);
  // Loaded only when needed: tables use none of the other readers.
  const { readStructured } = await import('./structured-file.server.ts');
  yield* readStructured(first, texts, limits, setting);
}

/** How every zip begins; an empty one has only an end. */
const isZip = (piece: Uint8Array): boolean => {
  const [p, k, three, four] = piece;
  return p === 0x50 && k === 0x4b && ((three === 3 && four === 4) || (three === 5 && four === 6));
};

/** Most bytes of a zip that comes as a stream. */
const MAX_HELD_ZIP = UPLOAD_LIMITS.bytes;

/** Collects a zip that comes as a stream, because its directory is at its end. */
async function heldZip(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  limits: ImportLimits,
): Promise<Uint8Array> {
  const held = [first];
  let size = first.byteLength;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    size += next.value.byteLength;
    if (size > limits.bytes) throw fileTooLarge(limits);
    if (size > MAX_HELD_ZIP)
      throw invalid('A zip this large cannot be read from a stream. Give its file name, or unpack it.');
    // The stream may reuse this memory for its next piece.
    held.push(Uint8Array.from(next.value));
  }
  return Buffer.concat(held);
}

/** The bytes of a file, or of the one in a zip. */
async function* unpacked(
  { bytes, path }: { bytes: ImportBytes; path?: string },
  limits: ImportLimits,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const pieces = piecesOf(bytes);
  let size = 0;
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      const piece = next.value;
      if (size === 0 && isZip(piece)) {
        if (bytes instanceof Uint8Array && bytes.byteLength > limits.bytes) throw fileTooLarge(limits);
        const { readZip } = await import('./zip-file.server.ts');
        if (bytes instanceof Uint8Array) return yield* readZip(bytes, limits, onRead);
        if (path === undefined)
          return yield* readZip(await heldZip(Uint8Array.from(piece), pieces, limits), limits, onRead);
        return yield* readZip({ path }, limits, onRead);
      }
      size += piece.byteLength;
      if (size > limits.bytes) throw fileTooLarge(limits);
      yield piece;
      onRead(size);
    }
  } finally {
    await pieces.return(undefined);
  }
}

/** Most characters to read until the first key of a JSON object is complete. */
const MAX_BEGIN = 1000;
const isUndecided = (begin: string): boolean =>
  begin.trim() === '' || (begin.length < MAX_BEGIN && /^\s*\{\s*(?:"[^"]*)?$/.test(begin));

/** Reads enough of a text to tell its kind. @throws AppError INVALID_INPUT when it is empty */
async function beginOf(texts: AsyncGenerator<string>): Promise<string> {
  let begin = '';
  while (isUndecided(begin)) {
    const { value, done } = await texts.next();
    if (done === true) break;
    begin = begin.trimStart() === '' ? value : begin + value;
  }
  if (begin.trim() === '') throw invalid('This file is empty.');
  return begin;
}

/**
 * The records of a file in batches: a JSON or CSV export, the plain table of doses, or health data from a phone, also in
 * a zip. The bytes tell which. Memory does not grow with the file.
 * @param source its bytes, and its path if it is a file
 * @param onRead called with the number of bytes read so far
 * @throws AppError INVALID_INPUT for any other file, PAYLOAD_TOO_LARGE
 */
export async function* readImportFile(
  source: { bytes: ImportBytes; path?: string },
  limits: ImportLimits,
  setting: ImportSetting,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<RawFile> {
  const texts = textsOf(unpacked(source, limits, onRead));
  const first = await beginOf(texts);
  let count = 0;
  for await (const file of readTexts(first, withFirst(first, texts), limits, setting)) {
    count += file.rows.length + file.bad.length;
    if (count > limits.records) throw tooManyRecords(limits);
    yield file;
  }
}
