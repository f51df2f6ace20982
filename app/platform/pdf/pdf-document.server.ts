import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type PDFDocument from 'pdfkit';

export type PdfFile = InstanceType<typeof PDFDocument>;

/** Bytes that may be buffered before writing pauses. */
const WAITING_BYTES = 256 * 1024;

/** Stands in the head of every file. */
export const PDF_NOTICE = 'Research reference only. Not medical advice. For adults (18+).';

/** An empty document of A4 pages in landscape. The package is loaded on first use so that the start does not wait for it. */
async function newPdf(title: string, now: Date): Promise<PdfFile> {
  const { default: Document } = await import('pdfkit');
  return new Document({
    size: 'A4',
    layout: 'landscape',
    margins: { top: 40, bottom: 40, left: 40, right: 40 },
    bufferPages: false,
    // The cache of laid-out texts would grow with the rows.
    fontLayoutCache: false,
    info: { Title: title, CreationDate: now, ModDate: now },
  });
}

/** Waits while the reader is slower than the writer. */
export async function unhurried(document: PdfFile, output: PassThrough): Promise<void> {
  while (document.readableLength > WAITING_BYTES && !output.destroyed) await once(output, 'drain');
}

/** The file as a stream; pages leave as they are full, so memory does not grow with what is written. */
export function streamPdf(
  { title, now }: { title: string; now: Date },
  write: (document: PdfFile, output: PassThrough) => Promise<void>,
): PassThrough {
  const output = new PassThrough();
  // A failure destroys the stream, so whoever reads it learns of it.
  void (async () => {
    let document: PdfFile | null = null;
    try {
      document = await newPdf(title, now);
      document.pipe(output);
      await write(document, output);
      document.end();
    } catch (error) {
      document?.unpipe(output);
      output.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  })();
  return output;
}
