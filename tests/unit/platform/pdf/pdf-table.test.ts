import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import { fontFor, isTransliterated, printable } from '#app/platform/pdf/pdf-table.server.ts';
import { PdfDrawing, type PdfBlock } from '#app/platform/pdf/pdf-drawing.server.ts';
import { pdfBlocks } from '#app/features/export/export-pdf.server.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

/** A section of one calculation with this name. */
function sections(name: string) {
  const cells = RECORD_TYPES.calculations.columns.map((column) =>
    column.name === 'peptideName' ? name : '1',
  );
  async function* batches() {
    yield [
      cells.map((cell, index) =>
        RECORD_TYPES.calculations.columns[index]?.name === 'createdAt' ? NOW.toISOString() : cell,
      ),
    ];
  }
  return [{ type: 'calculations' as const, batches: batches() }];
}

/** The streams of a file, decompressed. */
function streamsOf(text: string): string[] {
  return [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, part = '']) => {
    try {
      return inflateSync(Buffer.from(part, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
}

/** A file as text, followed by its streams, decompressed. */
function textOf(file: Buffer): string {
  const text = file.toString('latin1');
  return [text, ...streamsOf(text)].join('\n');
}

/** The file of one calculation, decompressed. */
async function unpacked(name: string): Promise<string> {
  const drawing = new PdfDrawing({ title: 'A test', now: NOW });
  const file = buffer(drawing.document);
  const options = { ownerId: 'somebody', metadata: null, timeZone: 'UTC', period: null, now: NOW };
  for await (const blocks of pdfBlocks(sections(name), options))
    for (const block of blocks) drawing.draw(block);
  drawing.end();
  return textOf(await file);
}

it('embeds a font for a name that the built-in ones cannot write, with a map of its letters', async () => {
  const pdf = await unpacked('Thymosin α-1 Тимозин');
  expect(pdf).toContain('DejaVuSans');
  // the map from glyphs to letters, which copying and searching use: α and и
  expect(pdf.toLowerCase()).toContain('03b1');
  expect(pdf.toLowerCase()).toContain('0438');
});

it('uses the built-in font if it is sufficient', async () => {
  expect(await unpacked('BPC-157 – Ähre')).not.toContain('DejaVuSans');
});

it.each([
  ['BPC-157 “é” €', 'Helvetica'],
  ['Thymosin α-1', 'DejaVuSans.ttf'],
])('chooses a font for %j', (text, font) => {
  expect(fontFor(text)).toContain(font);
});

it('replaces line breaks and tabs by spaces', () => {
  expect(printable('a\n\tb\u00a0c')).toBe('a b c');
});

it.each([
  ['北京 5 mg', 'BeiJing 5 mg'],
  ['محمد', 'mhmd'],
  ['BPC 😀', 'BPC'],
  ['🧪 TB-500 👩🏽‍🔬 5 mg 🇩🇪', 'TB-500 5 mg'],
  ['🧪', '(emoji)'],
  ['שלום BPC-157 (250 מק״ג)', 'slvm BPC-157 (250 mk"g)'],
  ['TB® ↔ 5️⃣', 'TB® ↔ 5'],
  ['Тимозин α-1 ≤ 5', 'Тимозин α-1 ≤ 5'],
])('writes %j as %j, which a font of the file holds', (text, written) => {
  expect(printable(text)).toBe(written);
  expect(isTransliterated(text)).toBe(written !== text);
});

/** The file's texts in built-in fonts, which are written as plain bytes. */
async function words(name: string): Promise<string> {
  const texts = [...(await unpacked(name)).matchAll(/<([0-9a-f]+)>/gi)];
  return texts.map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join('');
}

it('ends a PDF with a note only if it has transliterated texts', async () => {
  const note = 'written in Latin letters';
  expect(await words('北京')).toContain(note);
  expect(await words('Тимозин')).not.toContain(note);
});

/** A drawn file, unpacked, with how often each kind of element is in its structure. */
async function structureOf(blocks: readonly PdfBlock[]) {
  const drawing = new PdfDrawing({ title: 'A test', now: NOW });
  const file = buffer(drawing.document);
  for (const block of blocks) drawing.draw(block);
  drawing.end();
  const text = (await file).toString('latin1');
  const counts: Record<string, number> = {};
  for (const [, kind = ''] of text.matchAll(/\/S \/(\w+)/g)) counts[kind] = (counts[kind] ?? 0) + 1;
  return { text, counts, pages: streamsOf(text).filter((stream) => /^BT$/m.test(stream)) };
}

const TABLE: PdfBlock = {
  kind: 'table',
  columns: ['One', 'Two'].map((heading) => ({ heading, width: 10, align: 'left' as const })),
};

it('is tagged: language, title, headings, paragraphs, tables with their headings once, and pictures in words', async () => {
  const rows = Array.from({ length: 60 }, (_, index) => [`row ${index}`, index === 3 ? '' : 'text']);
  const { text, counts, pages } = await structureOf([
    { kind: 'title', text: 'Title' },
    { kind: 'line', text: 'A line' },
    { kind: 'heading', text: 'Part' },
    TABLE,
    { kind: 'part', text: 'November' },
    { kind: 'rows', rows },
    {
      kind: 'picture',
      picture: {
        ...{ width: 10, height: 10, shownWidth: 20, alt: 'A square' },
        shapes: [{ path: 'M0 0h10v10h-10z', fill: '#000000' }],
        texts: [{ x: 5, y: 2, size: 4, text: 'label' }],
      },
    },
  ]);
  expect(pages.length).toBeGreaterThan(1);
  expect(text).toMatch(/\/MarkInfo \d+ 0 R/);
  expect(text).toContain('/Marked true');
  expect(text).toContain('/Lang (en)');
  expect(text).toContain('/DisplayDocTitle true');
  expect(text).toContain('/Alt (A square)');
  expect(counts).toEqual({
    ...{ Document: 1, H1: 1, H2: 1, P: 1, Figure: 1 },
    ...{ Table: 1, TR: 62, TH: 3, TD: 120 },
  });
  // Nothing is drawn that is neither part of the structure nor marked as decoration.
  for (const page of pages) {
    let depth = 0;
    for (const line of page.split('\n')) {
      if (/ BDC$/.test(line)) depth += 1;
      if (line === 'EMC') depth -= 1;
      if (/(?:TJ|\bf|\bS)$/.test(line)) expect(depth, line).toBeGreaterThan(0);
    }
    expect(depth).toBe(0);
  }
});

it('structures the first 2,000 rows of a file by cells, and each further one as a paragraph', async () => {
  const row = ['one', 'two'];
  const rows = (length: number): PdfBlock => ({ kind: 'rows', rows: Array.from({ length }, () => row) });
  const { counts } = await structureOf([TABLE, rows(1500), TABLE, rows(600)]);
  expect(counts).toEqual({ Document: 1, Table: 2, TR: 2002, TH: 4, TD: 4000, P: 100 });
});
