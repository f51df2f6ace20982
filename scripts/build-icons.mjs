// Renders the installed app's icons into `build/client/icons`.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const PLAIN = 'public/favicon.svg';
/** Fills the whole square, with everything important in the middle, because systems crop it to their own shape. */
const MASKABLE = 'app/offline/icons/maskable.svg';

const ICONS = [
  { name: 'icon-192', from: PLAIN, size: 192 },
  { name: 'icon-512', from: PLAIN, size: 512 },
  { name: 'maskable-192', from: MASKABLE, size: 192 },
  { name: 'maskable-512', from: MASKABLE, size: 512 },
  // iOS does not accept transparent corners and rounds them itself.
  { name: 'apple-touch-icon', from: MASKABLE, size: 180 },
];

export async function buildIcons() {
  const folder = path.join(root, 'build/client/icons');
  await mkdir(folder, { recursive: true });
  await Promise.all(
    ICONS.map(({ name, from, size }) =>
      sharp(path.join(root, from), { density: (72 * size) / 32 })
        .resize(size, size)
        .png({ palette: true, compressionLevel: 9 })
        .toFile(path.join(folder, `${name}.png`)),
    ),
  );
}
