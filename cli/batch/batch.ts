import type { Readable } from 'node:stream';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError } from '#app/domain/errors.ts';
import { type CalcOptions, readRowSettings } from '#cli/commands/calc-options.ts';
import { type Io, write } from '#cli/io.ts';
import { EXIT } from '#cli/output.ts';
import { startProgress } from '#cli/progress.ts';
import { computeRow, type RowSettings } from './compute.ts';
import { type BatchFormat, csvLine, outputLine, RESULT_COLUMNS } from './format.ts';
import { csvRows, jsonRows, type LineSink, type RowTaker } from './sources.ts';

/**
 * Calculates the rows of a file ("-" is stdin) as they are read and writes them immediately: memory does not grow with the
 * number of rows. A row that cannot be calculated is reported on stderr with its line number and in the column `error`; the
 * other rows are still calculated.
 * @returns 0, or 2 when a row could not be calculated
 * @throws AppError INVALID_INPUT for a wrong header or option, NOT_FOUND for a missing file
 */
export async function runBatch(file: string, options: CalcOptions, io: Io): Promise<number> {
  const settings = readRowSettings(options);
  const format = chosenFormat(options);
  const input = await openInput(file, io);
  const progress = await startProgress(io, 'rows', input.bytes);
  let run: BatchRun | undefined;
  let sink: LineSink | undefined;
  const start = (json: boolean): LineSink => {
    run = new BatchRun(settings, format ?? (json ? 'ndjson' : 'csv'));
    return json ? jsonRows(run) : csvRows(run);
  };
  const flush = async (): Promise<void> => {
    const { out, complaints } = run?.collect() ?? { out: '', complaints: '' };
    if (complaints !== '') await write(io.stderr, progress.clearLine + complaints);
    if (out !== '') await write(io.stdout, out);
  };
  try {
    for await (const { lines, bytes } of readLines(input.stream)) {
      for (const line of lines) {
        sink ??= start(looksLikeJson(line));
        sink.add(line);
      }
      await flush();
      progress.update(bytes, run?.rows ?? 0);
    }
    (sink ?? start(false)).end();
    await flush();
  } finally {
    progress.stop();
  }
  const { rows, badRows } = run ?? { rows: 0, badRows: 0 };
  if (badRows > 0) await write(io.stderr, `vialbook: ${badRows} of ${rows} rows could not be calculated\n`);
  return badRows > 0 ? EXIT.invalid : EXIT.done;
}

/** A longer line is not a row of a batch; reading on would only fill the memory. */
const MAX_LINE_LENGTH = 1_000_000;

/** The lines of one chunk of input, without their line ends. */
interface Lines {
  readonly lines: string[];
  /** Bytes read so far, for progress. */
  readonly bytes: number;
}

const withoutCarriageReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/**
 * Splits a stream of UTF-8 (a byte order mark is dropped) into lines, chunk by chunk: yielding each line by itself would
 * cost more than the arithmetic.
 * @throws AppError INVALID_INPUT on a line of more than a million characters
 */
async function* readLines(input: Readable): AsyncGenerator<Lines> {
  const decoder = new TextDecoder();
  let rest = '';
  let bytes = 0;
  for await (const chunk of input as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_LENGTH) {
      throw new AppError('INVALID_INPUT', 'A line of the input is longer than a million characters.');
    }
    yield { lines: lines.map(withoutCarriageReturn), bytes };
  }
  rest += decoder.decode();
  if (rest !== '') yield { lines: [withoutCarriageReturn(rest)], bytes };
}

interface Input {
  readonly stream: Readable;
  /** Undefined when unknown. */
  readonly bytes: number | undefined;
}

/** Each chunk means one write and one progress update; memory holds only a few chunks. */
const CHUNK_BYTES = 256 * 1024;

async function openInput(file: string, io: Io): Promise<Input> {
  if (file === '-') return { stream: io.stdin, bytes: undefined };
  const found = await stat(file).catch((cause: unknown) => {
    throw new AppError('NOT_FOUND', `There is no file ${file}.`, { cause });
  });
  if (found.isDirectory()) throw new AppError('INVALID_INPUT', `${file} is a directory.`);
  return { stream: createReadStream(file, { highWaterMark: CHUNK_BYTES }), bytes: found.size };
}

function chosenFormat(options: CalcOptions): BatchFormat | undefined {
  const { format } = options;
  if (format === undefined) return options.json ? 'ndjson' : undefined;
  if (format === 'csv' || format === 'ndjson') return format;
  throw new AppError('INVALID_INPUT', '--format must be csv or ndjson.');
}

/** Collects the output and the error messages of a chunk of rows. */
class BatchRun implements RowTaker {
  readonly #settings: RowSettings;
  readonly #format: BatchFormat;
  rows = 0;
  badRows = 0;
  #out = '';
  #complaints = '';

  constructor(settings: RowSettings, format: BatchFormat) {
    this.#settings = settings;
    this.#format = format;
  }

  header: RowTaker['header'] = (names, dialect) => {
    if (this.#format === 'csv') this.#out += `${csvLine([...names, ...RESULT_COLUMNS], dialect)}\n`;
  };

  row: RowTaker['row'] = (row, texts) => {
    const computed = typeof texts === 'string' ? { error: texts } : computeRow(texts, this.#settings);
    const result = 'error' in computed ? { error: `line ${row.line}: ${computed.error}` } : computed;
    this.rows += 1;
    if ('error' in result) {
      this.badRows += 1;
      this.#complaints += `vialbook: ${result.error}\n`;
    }
    this.#out += outputLine(this.#format, row, result);
  };

  /** Returns what was collected since the last call. */
  collect(): { out: string; complaints: string } {
    const collected = { out: this.#out, complaints: this.#complaints };
    this.#out = '';
    this.#complaints = '';
    return collected;
  }
}

/** The input is JSON when its first line begins an object, otherwise CSV. */
const looksLikeJson = (line: string): boolean => line.trimStart().startsWith('{');
