import type { PdfBlock, PdfHead } from './pdf-drawing.server.ts';

/** What the server tells the thread that draws PDF files; `id` names the file. */
export type ToPdfThread =
  | { type: 'open'; id: number; head: PdfHead }
  | { type: 'draw'; id: number; blocks: readonly PdfBlock[] }
  | { type: 'end'; id: number }
  /** Nobody wants the file any more. */
  | { type: 'drop'; id: number };

/** What the thread answers. */
export type FromPdfThread =
  | { type: 'bytes'; id: number; bytes: Uint8Array }
  /** The last blocks are drawn; more may come. */
  | { type: 'drawn'; id: number }
  | { type: 'ended'; id: number }
  | { type: 'failed'; id: number; message: string };
