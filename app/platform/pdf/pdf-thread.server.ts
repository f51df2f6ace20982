import { parentPort } from 'node:worker_threads';
import { type PdfBlock, type PdfHead, PdfDrawing } from './pdf-drawing.server.ts';

/** Messages to the PDF thread; `id` identifies the file. */
export type ToPdfThread =
  | { type: 'open'; id: number; head: PdfHead }
  | { type: 'draw'; id: number; blocks: readonly PdfBlock[] }
  | { type: 'end'; id: number }
  /** The file is no longer needed. */
  | { type: 'drop'; id: number };

/** Messages from the PDF thread. */
export type FromPdfThread =
  | { type: 'bytes'; id: number; bytes: Uint8Array }
  /** The last blocks are drawn; more may come. */
  | { type: 'drawn'; id: number }
  | { type: 'ended'; id: number }
  | { type: 'failed'; id: number; message: string };

/** The entry of the PDF thread. Text layout takes long and must not block the server. */
const drawings = new Map<number, PdfDrawing>();

const answer = (message: FromPdfThread) => parentPort?.postMessage(message);

function open(id: number, drawing: PdfDrawing): void {
  drawings.set(id, drawing);
  drawing.document.on('data', (bytes: Uint8Array) => {
    if (drawings.has(id)) answer({ type: 'bytes', id, bytes });
  });
  drawing.document.on('end', () => {
    if (drawings.delete(id)) answer({ type: 'ended', id });
  });
}

parentPort?.on('message', (message: ToPdfThread) => {
  const { id } = message;
  try {
    switch (message.type) {
      case 'open':
        open(id, new PdfDrawing(message.head));
        return;
      case 'draw': {
        const drawing = drawings.get(id);
        for (const block of message.blocks) drawing?.draw(block);
        answer({ type: 'drawn', id });
        return;
      }
      case 'end':
        drawings.get(id)?.end();
        return;
      case 'drop':
        drawings.delete(id);
    }
  } catch (error) {
    drawings.delete(id);
    answer({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
});
