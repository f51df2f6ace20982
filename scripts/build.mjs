// `npm run build`: the Remix build, the Node bundles, and compressed copies of the static files.
import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { buildIcons } from './build-icons.mjs';
import { buildNode } from './build-node.mjs';
import { buildServiceWorker } from './build-service-worker.mjs';
import { packageProgram } from './package-program.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const marker = path.join(root, 'build/.complete');

await rm(marker, { force: true });
const remix = spawnSync(process.execPath, [packageProgram('@remix-run/dev', 'remix'), 'vite:build'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
  env: { ...process.env, NODE_ENV: 'production' },
});
if (remix.status !== 0) process.exit(remix.status ?? 1);
await buildNode();
await buildIcons();
await buildServiceWorker();
await compressFiles(path.join(root, 'build/client'));
await writeFile(marker, `${new Date().toISOString()}\n`);

/** Writes `.br` and `.gz` beside every text file, so that no request compresses a static file. */
async function compressFiles(directory) {
  const gzip = promisify(zlib.gzip);
  const brotli = promisify(zlib.brotliCompress);
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && /\.(js|css|svg|json|webmanifest|txt|html)$/.test(entry.name),
  );
  await Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath ?? entry.path, entry.name);
      const bytes = await readFile(file);
      if (bytes.byteLength < 1024) return;
      await writeFile(`${file}.gz`, await gzip(bytes, { level: 9 }));
      await writeFile(
        `${file}.br`,
        await brotli(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } }),
      );
    }),
  );
}
