import { createRequire } from 'node:module';
import anyAscii from 'any-ascii';
import type PDFDocument from 'pdfkit';
import type { PrintColumn } from '#app/domain/records/record-type.ts';

type Document = InstanceType<typeof PDFDocument>;

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

/** Collapses white space and writes other scripts and emoji in Latin letters ("BeiJing"); leaves the rest unchanged. */
export function printable(text: string): string {
  return onOneLine(text).replace(UNWRITABLE, (run) => anyAscii(run));
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

/** A table that continues over pages, with its headings on each. */
export class PdfTable {
  private readonly widths: number[];

  constructor(
    private readonly document: Document,
    private readonly columns: readonly PdfColumn[],
  ) {
    const { left, right } = document.page.margins;
    const whole = document.page.width - left - right - GAP * (columns.length - 1);
    const shares = columns.reduce((sum, column) => sum + column.width, 0);
    this.widths = columns.map((column) => (whole * column.width) / shares);
  }

  /** Draws the headings, on a new page if the current one has no room for a row below them. */
  head(): void {
    if (this.room() < SIZE * 6) this.document.addPage();
    this.document.fontSize(SIZE);
    this.line(
      this.columns.map((column) => column.heading),
      () => BOLD,
    );
  }

  /** Draws a row. It is split across pages only if a single page cannot hold it: a blend of many components, a long note. */
  row(cells: readonly string[]): void {
    let texts = cells.map(printable);
    if (this.heightOf(texts, fontFor) > this.room()) {
      this.document.addPage();
      this.head();
    }
    while (this.heightOf(texts, fontFor) > this.room()) {
      const parts = texts.map((text, index) => this.divided(text, index));
      this.line(
        parts.map(([now]) => now),
        fontFor,
      );
      this.document.addPage();
      this.head();
      texts = parts.map(([, later]) => later);
    }
    this.line(texts, fontFor);
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
      this.head();
    }
    const shown = printable(text);
    this.document
      .font(boldFor(shown))
      .fontSize(SIZE)
      .fillColor(INK)
      .text(shown, this.document.x, this.document.y + ROW_PADDING * 2)
      .moveDown(0.5);
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

  private line(texts: readonly string[], font: (text: string) => string): void {
    const { document } = this;
    const height = this.heightOf(texts, font);
    const top = document.y;
    let x = document.page.margins.left;
    texts.forEach((text, index) => {
      const width = this.widths[index] ?? 0;
      const { align } = this.columns[index] ?? { align: 'left' as const };
      if (text !== '')
        document
          .font(font(text))
          .fillColor(INK)
          .text(text, x, top + ROW_PADDING, { width, align });
      x += width + GAP;
    });
    const { left, right } = document.page.margins;
    document
      .moveTo(left, top + height)
      .lineTo(document.page.width - right, top + height)
      .lineWidth(0.5)
      .stroke(RULE);
    document.x = left;
    document.y = top + height;
  }
}
