import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { RECORD_TYPES } from '#app/domain/records/record-types.ts';
import { fontFor, isTransliterated, printable } from '#app/platform/pdf/pdf-table.server.ts';
import { PdfDrawing } from '#app/platform/pdf/pdf-drawing.server.ts';
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

/** The file with its streams decompressed. */
async function unpacked(name: string): Promise<string> {
  const drawing = new PdfDrawing({ title: 'A test', now: NOW });
  const file = buffer(drawing.document);
  const options = { ownerId: 'somebody', metadata: null, timeZone: 'UTC', period: null, now: NOW };
  for await (const blocks of pdfBlocks(sections(name), options))
    for (const block of blocks) drawing.draw(block);
  drawing.end();
  const text = (await file).toString('latin1');
  const parts = [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, part = '']) => {
    try {
      return inflateSync(Buffer.from(part, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return `${text}\n${parts.join('\n')}`;
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
  ['BPC 😀', 'BPC :grinning:'],
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
