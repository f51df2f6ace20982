import { createRequire } from 'node:module';
import { PassThrough, type Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { currentLog, logLines } from '#app/platform/log/log.server.ts';
import type { PdfBlock, PdfHead } from './pdf-drawing.server.ts';
import type { FromPdfThread, ToPdfThread } from './pdf-thread.server.ts';

/** Stands in the head of every file. */
export const PDF_NOTICE = 'Research reference only. Not medical advice. For adults (18+).';

/** Rows that are drawn in one go; between them the files of others have their turn. */
const ROWS_AT_ONCE = 50;

/** The thread draws a page at a time: what it holds does not grow with the file. More than this is a defect. */
const LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** One file under way, as the answers of the thread see it. */
interface OpenFile {
  output: PassThrough;
  /** The last blocks are drawn. */
  onDrawn: () => void;
}

let thread: Worker | null = null;
let lastId = 0;
const files = new Map<number, OpenFile>();

function startThread(): Worker {
  const worker = new Worker(createRequire(import.meta.url).resolve('#pdf-thread'), {
    name: 'pdf',
    // Neither the settings of the server, with its secrets, nor its flags are meant for it.
    env: {},
    execArgv: [],
    resourceLimits: LIMITS,
    stdout: true,
    stderr: true,
  });
  for (const stream of [worker.stdout, worker.stderr])
    logLines(stream, (line) => currentLog().warn({ source: 'pdf' }, line));
  const lost = (error: Error) => {
    if (thread !== worker) return;
    thread = null;
    for (const { output } of files.values()) output.destroy(error);
  };
  worker.on('message', onAnswer);
  worker.on('error', lost);
  worker.on('exit', () => lost(new Error('the thread that draws PDF files ended')));
  return worker;
}

function onAnswer(answer: FromPdfThread): void {
  const file = files.get(answer.id);
  if (file === undefined) return;
  if (answer.type === 'bytes') file.output.write(answer.bytes);
  else if (answer.type === 'drawn') file.onDrawn();
  else if (answer.type === 'ended') file.output.end();
  else file.output.destroy(new Error(`a PDF file failed: ${answer.message}`));
}

function tell(message: ToPdfThread): void {
  thread ??= startThread();
  thread.postMessage(message);
}

/** The thread goes, and its memory with it, when no file is open. */
function close(id: number): void {
  files.delete(id);
  if (files.size > 0) return thread?.postMessage({ type: 'drop', id } satisfies ToPdfThread);
  const idle = thread;
  thread = null;
  void idle?.terminate();
}

/** The same blocks, tables in pieces of a few rows. */
function* inPieces(blocks: readonly PdfBlock[]): Generator<PdfBlock> {
  for (const block of blocks) {
    if (block.kind !== 'rows') yield block;
    else
      for (let at = 0; at < block.rows.length; at += ROWS_AT_ONCE)
        yield { kind: 'rows', rows: block.rows.slice(at, at + ROWS_AT_ONCE) };
  }
}

async function drawAll(
  id: number,
  file: OpenFile,
  source: AsyncIterable<readonly PdfBlock[]>,
): Promise<void> {
  const { output } = file;
  const gone = new Promise<void>((resolve) => output.once('close', resolve));
  for await (const blocks of source) {
    for (const block of inPieces(blocks)) {
      if (output.destroyed) return;
      const drawn = new Promise<void>((resolve) => (file.onDrawn = resolve));
      tell({ type: 'draw', id, blocks: [block] });
      await Promise.race([drawn, gone]);
      if (output.destroyed || !output.writableNeedDrain) continue;
      await Promise.race([new Promise((resolve) => output.once('drain', resolve)), gone]);
    }
  }
  if (!output.destroyed) tell({ type: 'end', id });
}

/**
 * A PDF file, drawn in a thread of its own while it is read: not faster than its reader, and no longer than somebody
 * reads it. How many are made at once is decided where files are begun (see `heavyFile`).
 * @param blocks what it shows; read only as fast as it is drawn
 */
export function pdfFile(head: PdfHead, blocks: AsyncIterable<readonly PdfBlock[]>): Readable {
  const id = (lastId += 1);
  const output = new PassThrough({ highWaterMark: 64 * 1024 });
  const file: OpenFile = { output, onDrawn: () => {} };
  files.set(id, file);
  output.once('close', () => close(id));
  // A failure destroys the stream, so whoever reads it learns of it.
  output.on('error', () => {});
  tell({ type: 'open', id, head });
  drawAll(id, file, blocks).catch((error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return output;
}
