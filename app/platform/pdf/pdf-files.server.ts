import { PassThrough, type Readable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { startThread } from '#app/platform/threads/thread.server.ts';
import type { PdfBlock, PdfHead } from './pdf-drawing.server.ts';
import type { FromPdfThread, ToPdfThread } from './pdf-thread.server.ts';

/** Shown in the header of every file. */
export const PDF_NOTICE = 'Research reference only. Not medical advice. For adults (18+).';

/** Rows drawn in one go; between them other files get their turn. */
const ROWS_AT_ONCE = 50;

/** The thread draws page by page, so its memory does not grow with the file. More than this is a bug. */
const LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** A file being drawn. */
interface OpenFile {
  output: PassThrough;
  /** Called when the last blocks are drawn. */
  onDrawn: () => void;
}

let thread: Worker | null = null;
let lastId = 0;
const files = new Map<number, OpenFile>();

function openThread(): Worker {
  const worker = startThread('pdf', LIMITS);
  const lost = (error: Error) => {
    if (thread !== worker) return;
    thread = null;
    for (const { output } of files.values()) output.destroy(error);
  };
  worker.on('message', onAnswer);
  worker.on('error', lost);
  worker.on('exit', () => lost(new Error('the PDF thread ended')));
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
  thread ??= openThread();
  thread.postMessage(message);
}

/** Ends the thread, which frees its memory, when no file is open. */
function close(id: number): void {
  files.delete(id);
  if (files.size > 0) return thread?.postMessage({ type: 'drop', id } satisfies ToPdfThread);
  const idle = thread;
  thread = null;
  void idle?.terminate();
}

/** The same blocks, with tables split into pieces of a few rows. */
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
 * A PDF file, drawn in a separate thread while it is read: no faster than its client reads, and only while it reads.
 * `heavyFile` limits how many are created at once.
 * @param blocks the contents; read only as fast as they are drawn
 */
export function pdfFile(head: PdfHead, blocks: AsyncIterable<readonly PdfBlock[]>): Readable {
  const id = (lastId += 1);
  const output = new PassThrough({ highWaterMark: 64 * 1024 });
  const file: OpenFile = { output, onDrawn: () => {} };
  files.set(id, file);
  output.once('close', () => close(id));
  // A failure destroys the stream, so its reader is notified.
  output.on('error', () => {});
  tell({ type: 'open', id, head });
  drawAll(id, file, blocks).catch((error: unknown) =>
    output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return output;
}
