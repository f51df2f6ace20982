// `node scripts/image.mjs`: builds the image of deploy/Dockerfile for amd64 and arm64 with buildah, which needs no Docker and no
// daemon, starts it on each platform as its own user, and keeps it as `vialbook:VERSION` among buildah's (and podman's) images.
//   --platform linux/arm64     only this one; another than the machine's needs qemu-user-static
//   --node-image NAME          another base image, such as the one that scripts/image-base.mjs makes
//   --volume FILE:PATH:ro      a file that npm needs while building, such as /usr/local/etc/npmrc for a registry of one's own
//   --out FILE                 also writes all platforms into one OCI archive
//   --push ADDRESS             brings all platforms to a registry, such as docker://registry.example.org/vialbook:1.0.0
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NODE_NAMES, platforms, run } from './image-tools.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const PORT = '3987';
/** How long the server may take to be ready on a processor that is imitated, in ms. */
const PATIENCE_MS = 180_000;

const { values } = parseArgs({
  options: {
    platform: { type: 'string' },
    'node-image': { type: 'string' },
    volume: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    push: { type: 'string' },
  },
});
const out = values.out && path.resolve(values.out);
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const image = `localhost/vialbook:${version}`;
const wanted = platforms(values.platform);

const given = (/** @type {string} */ word, /** @type {string | undefined} */ value) =>
  value ? [word, value] : [];
const architectureOf = (/** @type {string} */ platform) => platform.split('/')[1] ?? '';
const tagOf = (/** @type {string} */ platform) => `${image}-${architectureOf(platform)}`;

function build(/** @type {string} */ platform) {
  const files = ['--file', 'deploy/Dockerfile', '--ignorefile', 'deploy/Dockerfile.dockerignore'];
  // Older versions of buildah do not say these themselves.
  const builder = `BUILDPLATFORM=linux/${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;
  const target = `TARGETPLATFORM=${platform}`;
  run('buildah', [
    // Without layers of earlier builds: older versions of buildah take those of another platform.
    ...['build', '--isolation', 'chroot', '--format', 'docker'],
    ...['--platform', platform, '--tag', tagOf(platform), '--build-arg', builder],
    ...['--build-arg', target],
    ...given('--build-arg', values['node-image'] && `NODE_IMAGE=${values['node-image']}`),
    ...values.volume.flatMap((one) => ['--volume', one]),
    ...files,
    root,
  ]);
}

process.chdir(root);
for (const platform of wanted) {
  build(platform);
  process.stdout.write(await started(platform));
}
run('buildah', ['manifest', 'rm', image], { mayFail: true });
run('buildah', ['manifest', 'create', image]);
for (const platform of wanted)
  run('buildah', ['manifest', 'add', image, `containers-storage:${tagOf(platform)}`]);
if (values.push) run('buildah', ['manifest', 'push', '--all', image, values.push]);
if (out) run('buildah', ['manifest', 'push', '--all', image, `oci-archive:${out}:${image}`]);

/** Starts the image as it says and waits until it is ready. @returns what was found. @throws Error if it does not get ready */
async function started(/** @type {string} */ platform) {
  const container = run('buildah', ['from', '--pull-never', tagOf(platform)]).trim();
  try {
    const { OCIv1 } = JSON.parse(run('buildah', ['inspect', container]));
    const node = ['node', '-p', 'process.arch'];
    const isFor = run('buildah', ['run', '--isolation', 'chroot', container, '--', ...node]).trim();
    if (`node-linux-${isFor}` !== NODE_NAMES[architectureOf(platform)])
      throw new Error(`the image for ${platform} has programs for ${isFor}`);
    const environment = ['--env', `PORT=${PORT}`, '--env', `APP_URL=http://127.0.0.1:${PORT}`];
    const command = ['run', '--isolation', 'chroot', ...environment, container, '--', ...OCIv1.config.Cmd];
    const server = spawn('buildah', command, { stdio: ['ignore', 2, 2] });
    const ended = new Promise((resolve) => server.once('exit', resolve));
    try {
      const took = await ready(ended);
      return `${tagOf(platform)} for ${OCIv1.os}/${OCIv1.architecture}: ready as ${OCIv1.config.User} after ${took} ms\n`;
    } finally {
      server.kill();
      await ended;
    }
  } finally {
    run('buildah', ['rm', container]);
  }
}

/** @returns after how many ms the server was ready. @throws Error when it ends before, or takes too long */
async function ready(/** @type {Promise<unknown>} */ ended) {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  const begun = Date.now();
  while (Date.now() - begun < PATIENCE_MS && !hasEnded) {
    const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => null);
    if (answer?.ok) return Date.now() - begun;
    await wait(200);
  }
  throw new Error(hasEnded ? 'the server ended' : 'the server did not get ready');
}
