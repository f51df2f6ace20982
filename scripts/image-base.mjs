// A base image with Debian and Node for `scripts/image.mjs`, on a machine that cannot reach Docker Hub:
//   node scripts/image-base.mjs [linux/amd64,linux/arm64]
// Makes `localhost/vialbook-base` for each platform from Debian's packages (debootstrap), Node's and npm's from the npm registry, and
// the compiler that better-sqlite3 needs where its ready-made program cannot be downloaded. Needs root, buildah, debootstrap and, for
// the other platform, qemu-user-static with its formats registered (binfmt_misc).
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NODE_NAMES, platforms, run } from './image-tools.mjs';

/** Not 24.19 or later: better-sqlite3 that is compiled there aborts (github.com/nodejs/node/issues/65446). */
const NODE = '22.23.3';
const NPM = '11';
const BASE = 'localhost/vialbook-base';
const DEBIAN = 'http://deb.debian.org/debian';
const PACKAGES = 'ca-certificates,g++,make,python3';

const scratch = mkdtempSync(path.join(tmpdir(), 'vialbook-base-'));
try {
  run('buildah', ['manifest', 'rm', BASE], { mayFail: true });
  run('buildah', ['manifest', 'create', BASE]);
  for (const platform of platforms(process.argv[2])) addBase(platform);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Unpacks a package of the npm registry. @returns its folder */
function unpacked(/** @type {string} */ name) {
  const folder = mkdtempSync(path.join(scratch, 'package-'));
  run('npm', ['pack', '--silent', '--pack-destination', folder, name]);
  run('tar', ['xzf', path.join(folder, readdirSync(folder)[0] ?? ''), '-C', folder]);
  return path.join(folder, 'package');
}

function addBase(/** @type {string} */ platform) {
  const architecture = platform.split('/')[1] ?? '';
  const root = path.join(scratch, architecture);
  run('debootstrap', [
    '--variant=minbase',
    `--arch=${architecture}`,
    `--include=${PACKAGES}`,
    'bookworm',
    root,
    DEBIAN,
  ]);
  const local = path.join(root, 'usr/local');
  const node = unpacked(`${NODE_NAMES[architecture]}@${NODE}`);
  for (const part of ['bin', 'include'])
    cpSync(path.join(node, part), path.join(local, part), { recursive: true });
  mkdirSync(path.join(local, 'lib/node_modules'), { recursive: true });
  const npm = unpacked(`npm@${NPM}`);
  cpSync(npm, path.join(local, 'lib/node_modules/npm'), { recursive: true });
  const { bin } = JSON.parse(readFileSync(path.join(npm, 'package.json'), 'utf8'));
  for (const [name, file] of Object.entries(bin))
    symlinkSync(path.join('../lib/node_modules/npm', String(file)), path.join(local, 'bin', name));
  run('chroot', [root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);

  const container = run('buildah', ['from', '--arch', architecture, 'scratch']).trim();
  run('buildah', ['add', container, root, '/']);
  // npm compiles against the headers beside the program, instead of downloading them.
  const settings = [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'npm_config_nodedir=/usr/local',
  ];
  run('buildah', [
    'config',
    '--arch',
    architecture,
    '--os',
    'linux',
    ...settings.flatMap((one) => ['--env', one]),
    container,
  ]);
  run('buildah', ['commit', '--rm', '--manifest', BASE, container]);
  rmSync(root, { recursive: true, force: true });
  process.stdout.write(`${BASE} for ${platform}: Node ${NODE}\n`);
}
