// `node scripts/image-check.mjs`: does what the Dockerfile does, without Docker. Copies exactly the files that it names into a clean
// folder, builds there, takes the same results as the image, and starts them as another user (when run as root).
import { spawn, spawnSync } from 'node:child_process';
import { chown, cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const PORT = '3987';
/** The id of the user `node` in the image. */
const OTHER_USER = 1000;

const dockerfile = await readFile(path.join(root, 'deploy/Dockerfile'), 'utf8');
const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)].map(([, words = '']) => words.split(' '));
const taken = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+)/gm)].map(([, name = '']) => name);

const scratch = await mkdtemp(path.join(tmpdir(), 'vialbook-image-'));
try {
  const source = path.join(scratch, 'source');
  const image = path.join(scratch, 'image');
  await Promise.all([mkdir(source), mkdir(image)]);
  for (const words of copies)
    for (const name of words.slice(0, -1))
      await cp(path.join(root, name), path.join(source, path.basename(name)), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(source, 'node_modules'));
  const built = spawnSync('npm', ['run', 'build'], { cwd: source, stdio: ['ignore', 2, 2] });
  if (built.status !== 0) throw new Error('the files that the Dockerfile names do not build');
  for (const name of taken.filter((one) => one !== 'node_modules'))
    await cp(path.join(source, name), path.join(image, name), { recursive: true });
  await symlink(path.join(root, 'node_modules'), path.join(image, 'node_modules'));
  process.stdout.write(await startedFrom(image));
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** Starts the server as the image does and asks whether it is ready. @returns what was found */
async function startedFrom(/** @type {string} */ image) {
  const data = path.join(scratch, 'data');
  await mkdir(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    await chown(data, OTHER_USER, OTHER_USER);
    // A folder from `mkdtemp` is accessible to its owner only.
    await chown(scratch, OTHER_USER, OTHER_USER);
  }
  const server = spawn(process.execPath, ['build/web/server.js'], {
    cwd: image,
    stdio: ['ignore', 2, 2],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', DATA_DIR: data, PORT },
    ...(isRoot ? { uid: OTHER_USER, gid: OTHER_USER } : {}),
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    await ready(ended);
    return `built and ready${isRoot ? ` as user ${OTHER_USER}` : '; not as another user, which takes root'}\n`;
  } finally {
    server.kill();
    await ended;
  }
}

/** Resolves when the server is ready. @throws Error when it ends before, or takes a minute */
async function ready(/** @type {Promise<unknown>} */ ended) {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  for (const until = Date.now() + 60_000; Date.now() < until && !hasEnded;) {
    const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(hasEnded ? 'the server ended' : 'the server was not ready after a minute');
}
