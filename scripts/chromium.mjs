// Finds a Chromium for the browser tests, or installs one: the system's, else Debian's package, else Playwright's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Path of a Chromium on this machine, or null. */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named && existsSync(named)) return named;
  const system = CANDIDATES.find((file) => existsSync(file));
  if (system) return system;
  const { chromium } = await import('playwright-core').catch(() => ({}));
  const downloaded = chromium?.executablePath();
  return downloaded && existsSync(downloaded) ? downloaded : null;
}

const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: ['ignore', 2, 2], env: { ...process.env, ...env } }).status === 0;

/** Makes sure that there is one; throws when none can be had. */
export async function ensureChromium() {
  const found = await findChromium();
  if (found) return found;
  console.error('Installing Chromium for the browser tests …');
  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['update', '-qq'], env);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], env);
  }
  if (!(await findChromium()))
    run(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium']);
  const installed = await findChromium();
  if (!installed) throw new Error('No Chromium could be found or installed. Set CHROMIUM_PATH to one.');
  return installed;
}
