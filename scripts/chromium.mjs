// Finds a Chromium for the browser tests, or installs one: the system's, Debian's package, or Playwright's. Its version
// without windows, the "headless shell", takes two thirds of the processor time. Run as a program, this gets both.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageProgram } from './package-program.mjs';

const FONT = '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf';
const SHELL = '/usr/bin/chromium-headless-shell';
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

let isListed = false;

/** Installs a Debian package if possible without a prompt. */
function install(name) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.error(`Installing ${name} for the browser tests …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  isListed ||= run('apt-get', ['update', '-qq'], env);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], env);
}

/** Ensures that a Chromium is installed, or throws. The shell is optional: without it, tests take longer. */
export async function ensureChromium() {
  if (!(await findChromium())) install('chromium');
  if (!(await findChromium()))
    run(process.execPath, [packageProgram('playwright-core'), 'install', 'chromium']);
  // The first font of ours that a Linux has: pages are measured with the same letters everywhere.
  if (!existsSync(FONT)) install('fonts-liberation');
  const installed = await findChromium();
  if (!installed) throw new Error('No Chromium could be found or installed. Set CHROMIUM_PATH to one.');
  return installed;
}

/** The same for pages: the shell if available, which has no push or notifications, otherwise any Chromium. */
export async function ensureShell() {
  if (process.env.CHROMIUM_PATH) return ensureChromium();
  if (!existsSync(SHELL)) install('chromium-headless-shell');
  return existsSync(SHELL) ? SHELL : ensureChromium();
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await ensureChromium();
  await ensureShell();
}
