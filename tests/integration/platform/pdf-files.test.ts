import { once } from 'node:events';
import { inflateSync } from 'node:zlib';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PdfDrawing, type PdfBlock } from '#app/platform/pdf/pdf-drawing.server.ts';
import { pdfFile } from '#app/platform/pdf/pdf-files.server.ts';
import { bytesOf } from '#tests/support/streams.ts';

const HEAD = { title: 'A test', now: new Date('2026-11-20T12:00:00Z') };
const COLUMNS = ['One', 'Two', 'Three'].map((heading) => ({ heading, width: 10, align: 'left' as const }));

/** Blocks that count how many are read, and notice when reading stops. */
function table(rows: number, pieces = 1) {
  const state = { taken: 0, isOver: false };
  async function* blocks(): AsyncGenerator<PdfBlock[]> {
    try {
      yield [{ kind: 'table', columns: COLUMNS }];
      for (let piece = 0; piece < pieces; piece += 1) {
        state.taken += 1;
        const row = (index: number) => [`row ${index}`, 'α letters of a wide font', 'plain letters'];
        yield [{ kind: 'rows', rows: Array.from({ length: rows }, (_, index) => row(index)) }];
      }
    } finally {
      state.isOver = true;
    }
  }
  return { state, blocks: blocks() };
}

it('a PDF is laid out in another thread, so that other work gets its turn', async () => {
  let isMade = false;
  const made = bytesOf(pdfFile(HEAD, table(1200).blocks)).then((bytes) => {
    isMade = true;
    return bytes;
  });
  let turns = 0;
  for (; !isMade; turns += 1) await turn();
  expect((await made).subarray(0, 5).toString()).toBe('%PDF-');
  // A single block: in this thread it would be laid out between two turns.
  expect(turns).toBeGreaterThan(1000);
});

it('work on a PDF ends when its client disconnects', async () => {
  const { state, blocks } = table(500, 1000);
  const file = pdfFile(HEAD, blocks);
  await once(file, 'readable');
  file.destroy();
  await expect.poll(() => state.isOver).toBe(true);
  expect(state.taken).toBeLessThan(1000);
});

/** The texts of each page in built-in fonts, with their lines' distance from the lower edge, in points. */
function pagesOf(file: Buffer): { text: string; y: number }[][] {
  const pages: { text: string; y: number }[][] = [];
  for (let at = file.indexOf('stream\n'); at >= 0; at = file.indexOf('stream\n', at + 1)) {
    if (file.subarray(at - 3, at).toString() === 'end') continue;
    // The file's own description is not compressed.
    if (file.subarray(at + 7, at + 9).toString() === '<?') continue;
    const content = inflateSync(file.subarray(at + 7, file.indexOf('\nendstream', at))).toString('latin1');
    const lines = content.matchAll(/1 0 0 1 \S+ (\S+) Tm[\s\S]*?\[(.*?)\] TJ/g);
    pages.push(
      Array.from(lines, ([, y, shown = '']) => ({
        y: Number(y),
        text: Array.from(shown.matchAll(/<(.*?)>/g), ([, hex = '']) => Buffer.from(hex, 'hex')).join(''),
      })),
    );
  }
  return pages;
}

it('splits a PDF row that no page can hold: each page has the headings, and no text is lost or below the margin', async () => {
  const drawing = new PdfDrawing(HEAD);
  const made = bytesOf(drawing.document);
  const words = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}-${index}`).join(' ');
  const rows = [
    ['before', 'x', 'y'],
    // Six components with long names in a narrow column, a note, and a word that is longer than a page.
    [words('component', 700), words('note', 400), 'z'.repeat(4000)],
    ['after', 'x', 'y'],
  ];
  drawing.draw({ kind: 'table', columns: COLUMNS });
  drawing.draw({ kind: 'rows', rows });
  drawing.end();
  const pages = pagesOf(await made);
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages) {
    expect(page.filter(({ text }) => text === 'Two')).toHaveLength(1);
    for (const { y } of page) expect(y).toBeGreaterThanOrEqual(40);
  }
  const shown = pages.flat().map(({ text }) => text);
  const found = (name: string) => shown.join(' ').match(new RegExp(`${name}-\\d+`, 'g')) ?? [];
  expect(found('component')).toEqual(words('component', 700).split(' '));
  expect(found('note')).toEqual(words('note', 400).split(' '));
  expect(shown.join('').match(/z/g)).toHaveLength(4000);
  expect(pages.at(-1)?.some(({ text }) => text === 'after')).toBe(true);
});

it('a PDF that cannot be drawn fails without affecting others', async () => {
  async function* broken(): AsyncGenerator<PdfBlock[]> {
    yield [{ kind: 'title', text: null as unknown as string }];
    yield [{ kind: 'line', text: null as unknown as string }];
  }
  const other = pdfFile(HEAD, table(100, 5).blocks);
  await expect(bytesOf(pdfFile(HEAD, broken()))).rejects.toThrow('a PDF file failed');
  expect((await bytesOf(other)).subarray(-6).toString()).toContain('%%EOF');
});

it('a PDF fails if its source fails', async () => {
  async function* failing(): AsyncGenerator<PdfBlock[]> {
    yield [{ kind: 'title', text: 'Half' }];
    throw new Error('the database went away');
  }
  await expect(bytesOf(pdfFile(HEAD, failing()))).rejects.toThrow('the database went away');
});
