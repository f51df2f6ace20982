import { parentPort } from 'node:worker_threads';
import { PdfDrawing } from './pdf-drawing.server.ts';
import type { FromPdfThread, ToPdfThread } from './pdf-thread-messages.ts';

/** The entry of the thread that draws PDF files: laying out text takes long, and nobody else should wait for it. */
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
