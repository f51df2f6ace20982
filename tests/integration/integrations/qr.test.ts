import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { drawQr } from '#app/integrations/qr.server.ts';

/** The modules that a path fills. */
function filled(path: string, size: number): boolean[][] {
  const grid = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at += 1) {
      const row = grid[Number(y)];
      if (row) row[at] = true;
    }
  }
  return grid;
}

describe('a QR drawing', () => {
  const text = 'https://vialbook.example/register?ref=ABCDEFGH';

  it('fills exactly the dark modules, with a quiet zone of four around them', () => {
    const { size, path } = drawQr(text);
    const grid = filled(path, size);
    expect(grid).toEqual(encode(text, { ecc: 'M', border: 4 }).data);
    expect(grid.slice(0, 4).flat()).not.toContain(true);
    // The corner of the first finder pattern.
    expect(grid[4]?.slice(4, 12)).toEqual([true, true, true, true, true, true, true, false]);
  });

  it('fails for a text that is too long for a QR code', () => {
    expect(() => drawQr('x'.repeat(5000))).toThrow();
  });
});
