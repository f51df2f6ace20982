import { encode } from 'uqr';

/** A QR code for an SVG: `<svg viewBox="0 0 size size"><path d={path} /></svg>`, dark on a light background. */
export interface QrDrawing {
  /** Width and height in modules, including the quiet zone that scanners need. */
  size: number;
  /** Path data of all dark modules. */
  path: string;
}

/** Light modules on each side (ISO/IEC 18004, section 5.3.8). */
const QUIET_ZONE = 4;

/** One row's dark modules, joined into runs: fewer path commands, and no hairlines between modules. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    path += `M${start} ${y}h${x - start + 1}v1h-${x - start + 1}z`;
  }
  return path;
}

/**
 * Draws a text as a QR code that tolerates 15 % damage. Runs on the server, so that browsers don't load the encoder.
 * @throws Error if the text is longer than a QR code can hold (2,331 bytes)
 */
export function drawQr(text: string): QrDrawing {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  return { size, path: data.map(rowPath).join('') };
}
