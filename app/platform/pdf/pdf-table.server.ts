import { createRequire } from 'node:module';
import anyAscii from 'any-ascii';
import type PDFDocument from 'pdfkit';
import type { PrintColumn } from '#app/domain/records/record-type.ts';

type Document = InstanceType<typeof PDFDocument>;

/** A part of the file's structure, by which a screen reader finds its way: a paragraph, a table, a cell. */
export type PdfElement = ReturnType<Document['struct']>;

/** How many rows of a file are still to be structured by cells. */
export interface CellBudget {
  rows: number;
}

/**
 * Each cell of the structure takes some 150 bytes of the file and 400 of memory until its end. In a file of more rows the
 * further ones are a paragraph each.
 */
export const CELL_ROWS = 2000;

const COLUMN_HEADING: { title?: string; scope: string } = { scope: 'Column' };
const ROW_HEADING: { title?: string; scope: string } = { scope: 'Row' };

/** A column: its heading, share of the width, and alignment. */
export type PdfColumn = Pick<PrintColumn, 'heading' | 'width' | 'align'>;

const REGULAR = 'Helvetica';
const BOLD = 'Helvetica-Bold';
const SIZE = 8;
const GAP = 6;
const ROW_PADDING = 3;
const RULE = '#c9c4b8';
const INK = '#1d1b16';

/**
 * Characters that no font of the file contains, or that need right-to-left layout: everything but Latin, Greek, Cyrillic,
 * Armenian and Georgian letters, punctuation and mathematics. The wide font contains each of those.
 */
const UNWRITABLE =
  /[^\u0300-\u034f\u0020-\u007e\u00a0-\u02e9\u0370-\u0525\u0531-\u0556\u0561-\u0587\u10d0-\u10fc\u1e00-\u1efb\u1f00-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u209f\u20a0-\u20b5\u2116\u2122\u2126\u2190-\u22ff]+/gu;

const onOneLine = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ');

/** True for a text that the file shows in Latin letters instead of its own script. */
export function isTransliterated(text: string): boolean {
  return onOneLine(text).search(UNWRITABLE) >= 0;
}

/** Emoji, flags, and what joins and colours them. */
const EMOJI =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u{20e3}|\u{200d}|\u{fe0f}/gu;

/** Written for a text that is nothing but emoji. */
const ONLY_EMOJI = '(emoji)';

/** Leaves emoji out, except those that are ordinary signs: © and ↔. */
function withoutEmoji(text: string): string {
  const rest = text.replace(EMOJI, (sign) => (sign.search(UNWRITABLE) >= 0 ? '' : sign));
  if (rest === text) return text;
  return onOneLine(rest).trim() || ONLY_EMOJI;
}

/** Collapses white space, writes other scripts in Latin letters ("BeiJing") and leaves emoji out; the rest stays. */
export function printable(text: string): string {
  return withoutEmoji(onOneLine(text)).replace(UNWRITABLE, (run) => anyAscii(run));
}

/** Characters of the built-in fonts: Windows-1252. */
const BUILT_IN =
  /^[\u0020-\u007e\u00a0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]*$/u;

const WIDE_FILE = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');

/**
 * The font for a text: a built-in one if it has every character, since those are fast and add nothing to the file;
 * otherwise one with Greek, Cyrillic and most other alphabets ("Thymosin α-1").
 */
export function fontFor(text: string): string {
  return BUILT_IN.test(text) ? REGULAR : WIDE_FILE;
}

/** The same for headings, bold where the built-in font has the characters. */
export function boldFor(text: string): string {
  return BUILT_IN.test(text) ? BOLD : WIDE_FILE;
}

/** Adds what draws a cell's text to the structure, which draws it. */
type AddCell = (column: number, draw: () => void) => void;

/** Draws what a screen reader passes over. */
function asDecoration(document: Document, type: 'Layout' | 'Pagination', draw: () => void): void {
  document.markContent('Artifact', { type });
  draw();
  document.endMarkedContent();
}

/** A table that continues over pages, with its headings on each. */
export class PdfTable {
  private readonly widths: number[];
  private readonly element: PdfElement;

  /** @param parent the part of the structure that the table is added to */
  constructor(
    private readonly document: Document,
    private readonly columns: readonly PdfColumn[],
    private readonly parent: PdfElement,
    private readonly budget: CellBudget,
  ) {
    this.element = document.struct('Table');
    parent.add(this.element);
    const { left, right } = document.page.margins;
    const whole = document.page.width - left - right - GAP * (columns.length - 1);
    const shares = columns.reduce((sum, column) => sum + column.width, 0);
    this.widths = columns.map((column) => (whole * column.width) / shares);
  }

  /** Draws the headings, on a new page if the current one has no room for a row below them. */
  head(): void {
    if (this.room() < SIZE * 6) this.document.addPage();
    const cells = this.newRow(this.columns.map(() => this.document.struct('TH', COLUMN_HEADING)));
    this.headings((index, draw) => void cells[index]?.add(draw));
    for (const cell of cells) cell.end();
  }

  /** Ends the table. */
  end(): void {
    this.element.end();
  }

  /** The headings again on a further page, which a screen reader passes over. */
  private headAgain(): void {
    this.headings((_, draw) => asDecoration(this.document, 'Pagination', draw));
  }

  private headings(add: AddCell): void {
    this.document.fontSize(SIZE);
    this.line(
      this.columns.map((column) => column.heading),
      () => BOLD,
      add,
    );
  }

  /** Adds a row of these cells to the structure. */
  private newRow(cells: readonly PdfElement[]): readonly PdfElement[] {
    const row = this.document.struct('TR');
    this.element.add(row);
    for (const cell of cells) row.add(cell);
    return cells;
  }

  /** The parts of the structure that a row of records is, one for each column. */
  private partsOfRow(): readonly PdfElement[] {
    this.budget.rows -= 1;
    if (this.budget.rows >= 0) return this.newRow(this.columns.map(() => this.document.struct('TD')));
    const paragraph = this.document.struct('P');
    this.parent.add(paragraph);
    return this.columns.map(() => paragraph);
  }

  /** Draws a row. It is split across pages only if a single page cannot hold it: a blend of many components, a long note. */
  row(cells: readonly string[]): void {
    let texts = cells.map(printable);
    if (this.heightOf(texts, fontFor) > this.room()) {
      this.document.addPage();
      this.headAgain();
    }
    const parts = this.partsOfRow();
    const add: AddCell = (index, draw) => void parts[index]?.add(draw);
    while (this.heightOf(texts, fontFor) > this.room()) {
      const halves = texts.map((text, index) => this.divided(text, index));
      this.line(
        halves.map(([now]) => now),
        fontFor,
        add,
      );
      this.document.addPage();
      this.headAgain();
      texts = halves.map(([, later]) => later);
    }
    this.line(texts, fontFor, add);
    for (const part of parts) part.end();
  }

  /** Splits a cell's text into what fits on the rest of the page, and what is left for the next. */
  private divided(text: string, index: number): [now: string, later: string] {
    const width = this.widths[index] ?? 0;
    const most = this.room() - ROW_PADDING * 2;
    this.document.font(fontFor(text));
    const fits = (length: number) => this.document.heightOfString(text.slice(0, length), { width }) <= most;
    let [shown, tooMany] = [0, text.length + 1];
    while (tooMany - shown > 1) {
      const middle = Math.floor((shown + tooMany) / 2);
      if (fits(middle)) shown = middle;
      else tooMany = middle;
    }
    if (shown === text.length) return [text, ''];
    // Split between words if possible; an empty part would never end.
    const blank = text.lastIndexOf(' ', shown);
    const end = blank > 0 ? blank : Math.max(1, shown);
    return [text.slice(0, end), text.slice(end).trimStart()];
  }

  /** Draws a heading for the following rows, never as the last line of a page. */
  part(text: string): void {
    if (this.room() < SIZE * 6) {
      this.document.addPage();
      this.headAgain();
    }
    const shown = printable(text);
    const { document } = this;
    const [heading] = this.newRow([document.struct('TH', ROW_HEADING)]);
    heading?.add(() => {
      document
        .font(boldFor(shown))
        .fontSize(SIZE)
        .fillColor(INK)
        .text(shown, document.x, document.y + ROW_PADDING * 2)
        .moveDown(0.5);
    });
    heading?.end();
  }

  private room(): number {
    const { document } = this;
    return document.page.height - document.page.margins.bottom - document.y;
  }

  /** Most cells fit on one line; only those that do not are measured. */
  private heightOf(texts: readonly string[], font: (text: string) => string): number {
    const oneLine = this.document.font(REGULAR).currentLineHeight(true);
    const heights = texts.map((text, index) => {
      const width = this.widths[index] ?? 0;
      this.document.font(font(text));
      if (this.document.widthOfString(text) <= width) return oneLine;
      return this.document.heightOfString(text, { width });
    });
    return Math.max(oneLine, ...heights) + ROW_PADDING * 2;
  }

  private line(texts: readonly string[], font: (text: string) => string, add: AddCell): void {
    const { document } = this;
    const height = this.heightOf(texts, font);
    const top = document.y;
    let x = document.page.margins.left;
    texts.forEach((text, index) => {
      const width = this.widths[index] ?? 0;
      const { align } = this.columns[index] ?? { align: 'left' as const };
      const from = x;
      if (text !== '')
        add(index, () => {
          document
            .font(font(text))
            .fillColor(INK)
            .text(text, from, top + ROW_PADDING, { width, align });
        });
      x += width + GAP;
    });
    const { left, right } = document.page.margins;
    asDecoration(document, 'Layout', () => {
      document
        .moveTo(left, top + height)
        .lineTo(document.page.width - right, top + height)
        .lineWidth(0.5)
        .stroke(RULE);
    });
    document.x = left;
    document.y = top + height;
  }
}
