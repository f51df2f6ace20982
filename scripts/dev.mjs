// `npm run dev`: Remix's own Vite dev server behind our Express entry. A saved file is in the browser at once. It uses nothing
// of `build/`: what runs in threads is bundled into `tmp/dev`, and again when its sources change.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer as createVite } from 'vite';
import { watchNode } from './build-node.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const FOLDER = 'tmp/dev';
/** The condition of `imports` in package.json, which the npm script names. */
const CONDITION = 'vialbook-development';

/** Within the folder, the threads find each other; their own process's condition does not reach them. */
async function writePackage() {
  const { imports } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const own = Object.entries(imports).flatMap(([name, { [CONDITION]: target }]) =>
    target === undefined ? [] : [[name, target.replace(`./${FOLDER}/`, './')]],
  );
  await mkdir(path.join(root, FOLDER), { recursive: true });
  const text = JSON.stringify({ type: 'module', imports: Object.fromEntries(own) });
  await writeFile(path.join(root, FOLDER, 'package.json'), text);
}

Object.assign(process.env, { NODE_ENV: 'development', STYLEGUIDE: 'on', LOG_LEVEL: 'warn', ...process.env });
await writePackage();
const stopWatching = await watchNode(['engine', 'threads'], FOLDER);
const server = createServer();
const vite = await createVite({
  root,
  appType: 'custom',
  logLevel: 'warn',
  server: { middlewareMode: true, hmr: { server } },
});
const { serveDevelopment } = await vite.ssrLoadModule('/app/server/development.server.ts');
await serveDevelopment(vite, server, stopWatching);
