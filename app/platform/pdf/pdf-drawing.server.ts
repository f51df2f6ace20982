import PDFDocument from 'pdfkit';
import {
  boldFor,
  CELL_ROWS,
  fontFor,
  isTransliterated,
  PdfTable,
  printable,
  type CellBudget,
  type PdfColumn,
  type PdfElement,
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
  /** What it shows, for those who cannot see it. */
  alt: string;
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
  'Text in other scripts is written in Latin letters in this file, without emoji. CSV and JSON exports have it as you wrote it.';

/** Points between a picture and what is above it. */
const PICTURE_GAP = 6;

/**
 * A document, tagged so that a screen reader knows its title, headings, tables and pictures. Full pages are output immediately, so
 * memory does not grow with the contents, but for the structure.
 */
export class PdfDrawing {
  readonly document: InstanceType<typeof PDFDocument>;
  #table: PdfTable | null = null;
  readonly #structure: PdfElement;
  readonly #cells: CellBudget = { rows: CELL_ROWS };
  #isTransliterated = false;

  constructor({ title, page, now }: PdfHead) {
    this.document = new PDFDocument({
      size: page ?? 'A4',
      layout: page === undefined ? 'landscape' : 'portrait',
      margins: { top: 40, bottom: 40, left: 40, right: 40 },
      bufferPages: false,
      // The layout cache would grow with the rows.
      fontLayoutCache: false,
      tagged: true,
      lang: 'en',
      displayTitle: true,
      pdfVersion: '1.7',
      info: { Title: title, CreationDate: now, ModDate: now },
    });
    this.#structure = this.document.struct('Document');
    this.document.addStructure(this.#structure);
  }

  /** Draws a part of the structure: a heading, a paragraph, a picture. */
  #add(kind: 'H1' | 'H2' | 'P' | 'Figure', draw: () => void, options: { alt?: string } = {}): void {
    this.#structure.add(this.document.struct(kind, options, draw));
  }

  #endTable(): void {
    this.#table?.end();
    this.#table = null;
  }

  draw(block: PdfBlock): void {
    const { document } = this;
    if (block.kind !== 'rows' && block.kind !== 'part') this.#endTable();
    switch (block.kind) {
      case 'title':
        this.#title(block.text);
        return;
      case 'line':
        this.#line(block.text);
        return;
      case 'heading':
        document.moveDown(1.5).font('Helvetica-Bold').fontSize(12);
        this.#add('H2', () => document.text(block.text));
        document.moveDown(0.5);
        return;
      case 'table':
        this.#table = new PdfTable(document, block.columns, this.#structure, this.#cells);
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
        this.#startPicture(block.picture);
        this.#add('Figure', () => this.#picture(block.picture), { alt: block.picture.alt });
    }
  }

  end(): void {
    this.#endTable();
    if (this.#isTransliterated) this.#line(TRANSLITERATED_NOTE);
    this.#structure.end();
    this.document.end();
  }

  /** Begins a new page if a picture does not fit on this one. */
  #startPicture({ width, height, shownWidth }: PdfPicture): void {
    const { document } = this;
    const scale = shownWidth / width;
    if (document.y + PICTURE_GAP + height * scale > document.page.height - document.page.margins.bottom)
      document.addPage();
  }

  /** Draws a picture below what was drawn before. */
  #picture({ width, height, shownWidth, shapes, texts }: PdfPicture): void {
    const { document } = this;
    const scale = shownWidth / width;
    const { left } = document.page.margins;
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
    this.document.font(boldFor(shown)).fontSize(16);
    this.#add('H1', () => this.document.text(shown));
  }

  #line(text: string): void {
    this.#isTransliterated ||= isTransliterated(text);
    const shown = printable(text);
    this.document.fontSize(9).font(fontFor(shown));
    this.#add('P', () => this.document.text(shown));
  }
}
