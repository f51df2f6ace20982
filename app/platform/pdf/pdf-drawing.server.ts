import PDFDocument from 'pdfkit';
import {
  boldFor,
  fontFor,
  isTransliterated,
  PdfTable,
  printable,
  type PdfColumn,
} from './pdf-table.server.ts';

/** The contents of a PDF file, from top to bottom. Plain data, because it is sent to another thread. */
export type PdfBlock =
  | { kind: 'title'; text: string }
  | { kind: 'line'; text: string }
  | { kind: 'heading'; text: string }
  /** Begins a table; the following rows belong to it. */
  | { kind: 'table'; columns: readonly PdfColumn[] }
  | { kind: 'rows'; rows: readonly (readonly string[])[] }
  /** A heading between rows. */
  | { kind: 'part'; text: string }
  | { kind: 'picture'; picture: PdfPicture };

/** A picture made of SVG paths and texts, in units of its own. */
export interface PdfPicture {
  width: number;
  height: number;
  /** How wide it is on the page, in points. */
  shownWidth: number;
  shapes: readonly { path: string; fill?: string; stroke?: string; lineWidth?: number }[];
  /** Each centred at `x`, with its top at `y`. */
  texts: readonly { x: number; y: number; size: number; text: string }[];
}

export interface PdfHead {
  title: string;
  /** A4 in landscape if absent. */
  page?: 'A5';
  /** The file's date. */
  now: Date;
}

/** Added to the end of a file with transliterated texts. */
const TRANSLITERATED_NOTE =
  'Text in other scripts is written in Latin letters in this file. CSV and JSON exports have it as you wrote it.';

/** Points between a picture and what is above it. */
const PICTURE_GAP = 6;

/** A document. Full pages are output immediately, so memory does not grow with the contents. */
export class PdfDrawing {
  readonly document: InstanceType<typeof PDFDocument>;
  #table: PdfTable | null = null;
  #isTransliterated = false;

  constructor({ title, page, now }: PdfHead) {
    this.document = new PDFDocument({
      size: page ?? 'A4',
      layout: page === undefined ? 'landscape' : 'portrait',
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
        this.#title(block.text);
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
        return;
      case 'picture':
        this.#picture(block.picture);
    }
  }

  end(): void {
    if (this.#isTransliterated) this.#line(TRANSLITERATED_NOTE);
    this.document.end();
  }

  /** Draws a picture below what was drawn before, on a new page if it does not fit. */
  #picture({ width, height, shownWidth, shapes, texts }: PdfPicture): void {
    const { document } = this;
    const scale = shownWidth / width;
    const { left, bottom } = document.page.margins;
    if (document.y + PICTURE_GAP + height * scale > document.page.height - bottom) document.addPage();
    const top = document.y + PICTURE_GAP;
    document.save().translate(left, top).scale(scale);
    for (const { path, fill, stroke, lineWidth = 1 } of shapes) {
      if (fill !== undefined) document.path(path).fill(fill);
      if (stroke !== undefined) document.path(path).lineWidth(lineWidth).stroke(stroke);
    }
    document.restore();
    for (const { x, y, size, text } of texts) {
      const shown = printable(text);
      document.font(fontFor(shown)).fontSize(size * scale);
      const from = left + x * scale - document.widthOfString(shown) / 2;
      document.text(shown, Math.max(left, from), top + y * scale, { lineBreak: false });
    }
    document.x = left;
    document.y = top + height * scale;
  }

  #title(text: string): void {
    this.#isTransliterated ||= isTransliterated(text);
    const shown = printable(text);
    this.document.font(boldFor(shown)).fontSize(16).text(shown);
  }

  #line(text: string): void {
    this.#isTransliterated ||= isTransliterated(text);
    const shown = printable(text);
    this.document.fontSize(9).font(fontFor(shown)).text(shown);
  }
}
