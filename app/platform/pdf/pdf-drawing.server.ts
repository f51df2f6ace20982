import PDFDocument from 'pdfkit';
import { fontFor, isTransliterated, PdfTable, printable, type PdfColumn } from './pdf-table.server.ts';

/** The contents of a PDF file, from top to bottom. Plain data, because it is sent to another thread. */
export type PdfBlock =
  | { kind: 'title'; text: string }
  | { kind: 'line'; text: string }
  | { kind: 'heading'; text: string }
  /** Begins a table; the following rows belong to it. */
  | { kind: 'table'; columns: readonly PdfColumn[] }
  | { kind: 'rows'; rows: readonly (readonly string[])[] }
  /** A heading between rows. */
  | { kind: 'part'; text: string };

export interface PdfHead {
  title: string;
  /** The file's date. */
  now: Date;
}

/** Added to the end of a file with transliterated texts. */
const TRANSLITERATED_NOTE =
  'Text in other scripts is written in Latin letters in this file. CSV and JSON exports have it as you wrote it.';

/** A document of A4 pages in landscape. Full pages are output immediately, so memory does not grow with the contents. */
export class PdfDrawing {
  readonly document: InstanceType<typeof PDFDocument>;
  #table: PdfTable | null = null;
  #isTransliterated = false;

  constructor({ title, now }: PdfHead) {
    this.document = new PDFDocument({
      size: 'A4',
      layout: 'landscape',
      margins: { top: 40, bottom: 40, left: 40, right: 40 },
      bufferPages: false,
      // The layout cache would grow with the rows.
      fontLayoutCache: false,
      info: { Title: title, CreationDate: now, ModDate: now },
    });
  }

  draw(block: PdfBlock): void {
    const { document } = this;
    switch (block.kind) {
      case 'title':
        document.font('Helvetica-Bold').fontSize(16).text(block.text);
        return;
      case 'line':
        this.#line(block.text);
        return;
      case 'heading':
        document.moveDown(1.5).font('Helvetica-Bold').fontSize(12).text(block.text).moveDown(0.5);
        return;
      case 'table':
        this.#table = new PdfTable(document, block.columns);
        this.#table.head();
        return;
      case 'rows':
        for (const row of block.rows) {
          this.#isTransliterated ||= row.some(isTransliterated);
          this.#table?.row(row);
        }
        return;
      case 'part':
        this.#isTransliterated ||= isTransliterated(block.text);
        this.#table?.part(block.text);
    }
  }

  end(): void {
    if (this.#isTransliterated) this.#line(TRANSLITERATED_NOTE);
    this.document.end();
  }

  #line(text: string): void {
    this.#isTransliterated ||= isTransliterated(text);
    const shown = printable(text);
    this.document.fontSize(9).font(fontFor(shown)).text(shown);
  }
}
