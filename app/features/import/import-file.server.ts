import { Readable, pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { AppError } from '#app/domain/errors.ts';
import { headerProblem, rowsOfTable, type TableLine } from '#app/domain/import/csv-rows.ts';
import { JsonRecords } from '#app/domain/import/json-records.ts';
import type { RawFile } from '#app/domain/records/record-type.ts';

/** A file as it comes: all of it, or piece by piece. */
export type ImportBytes = Uint8Array | AsyncIterable<Uint8Array>;

/** How much of a file is read. */
export interface ImportLimits {
  bytes: number;
  records: number;
}

const MB = 1024 * 1024;

/** What a page or a call takes. */
export const UPLOAD_LIMITS: ImportLimits = { bytes: 32 * MB, records: 100_000 };
/** At the terminal nobody else waits; the limit only ends a stream that never does. */
export const TERMINAL_LIMITS: ImportLimits = { bytes: 4096 * MB, records: 10_000_000 };

/** Characters of a table's longest record. */
const MAX_TABLE_RECORD = 200_000;
/** Bytes that are read as one piece, and lines that are handed on as one. */
const PIECE = 64 * 1024;
const LINES = 500;

const invalid = (message: string, cause?: unknown) =>
  new AppError('INVALID_INPUT', message, { fields: { file: [message] }, cause });

const tooLarge = (message: string) =>
  new AppError('PAYLOAD_TOO_LARGE', message, { fields: { file: [message] } });

const megabytes = ({ bytes }: ImportLimits) => bytes / MB;

/** The answer to a file that is larger than what is taken. */
export const fileTooLarge = (limits: ImportLimits): AppError =>
  tooLarge(`The file is larger than ${megabytes(limits)} MB.`);

/** The answer to a file with more records than are taken at once. */
export const tooManyRecords = ({ records }: ImportLimits): AppError =>
  tooLarge(`A file can have at most ${records.toLocaleString('en')} records.`);

async function* piecesOf(bytes: ImportBytes): AsyncGenerator<Uint8Array> {
  const chunks = bytes instanceof Uint8Array ? [bytes] : bytes;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.byteLength; at += PIECE) yield chunk.subarray(at, at + PIECE);
}

function decoded(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch (cause) {
    throw invalid('Choose a CSV or JSON text file.', cause);
  }
}

/** The text of a file. @throws AppError INVALID_INPUT for bytes that are no text, PAYLOAD_TOO_LARGE */
async function* textsOf(
  bytes: ImportBytes,
  limits: ImportLimits,
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let size = 0;
  for await (const piece of piecesOf(bytes)) {
    size += piece.byteLength;
    if (size > limits.bytes) throw fileTooLarge(limits);
    const text = decoded(decoder, piece);
    if (text.includes('\0')) throw invalid('Choose a CSV or JSON text file.');
    if (text !== '') yield text;
    onRead(size);
  }
  const rest = decoded(decoder);
  if (rest !== '') yield rest;
}

async function* withFirst(first: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* texts;
}

async function* readJson(texts: AsyncIterable<string>): AsyncGenerator<RawFile> {
  const records = new JsonRecords();
  for await (const text of texts) {
    const file = records.push(text);
    if ('problem' in file) throw invalid(file.problem);
    if (file.rows.length + file.bad.length > 0) yield file;
  }
  const fault = records.end();
  if (fault !== null) throw invalid(fault.problem);
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
  // What goes wrong on the way reaches whoever reads the parser.
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
  for await (const line of linesOf(texts)) {
    if (header === null) header = checkedHeader(line);
    else waiting.push(line);
    if (header === null || waiting.length < LINES) continue;
    yield rowsOfTable(header, waiting);
    waiting = [];
  }
  if (header !== null && waiting.length > 0) yield rowsOfTable(header, waiting);
}

/**
 * The records of a file, some at a time: an export as JSON or CSV, or the plain table of doses. What it is, its text
 * tells. Memory does not grow with the file.
 * @param onRead is told how many bytes have been read
 * @throws AppError INVALID_INPUT for a file that is neither, PAYLOAD_TOO_LARGE
 */
export async function* readImportFile(
  bytes: ImportBytes,
  limits: ImportLimits,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<RawFile> {
  const texts = textsOf(bytes, limits, onRead);
  let first = '';
  while (first.trim() === '') {
    const { value, done } = await texts.next();
    if (done === true) throw invalid('This file is empty.');
    first = value;
  }
  const read = /^\s*[{[]/.test(first) ? readJson : readTable;
  let count = 0;
  for await (const file of read(withFirst(first, texts))) {
    count += file.rows.length + file.bad.length;
    if (count > limits.records) throw tooManyRecords(limits);
    yield file;
  }
}
