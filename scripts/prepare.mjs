// Makes `npm start` and `npm test` work from a clean clone: installs what is missing, builds what is stale.
// Node builtins only, since nothing may be installed yet.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => path.join(root, ...parts);
const mtime = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);

/** Whether a person is reading; otherwise the output starts a server log, and all of its lines must be JSON. */
const isRead =
  process.stderr.isTTY || process.argv.some((argument) => ['--test', '--packages'].includes(argument));

function say(message, level = 30) {
  if (isRead) console.error(message);
  else console.error(JSON.stringify({ level, time: new Date().toISOString(), msg: message }));
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  say(`Vialbook needs Node 20.19 or newer; this is ${process.version}.`, 60);
  process.exit(1);
}

function run(command, args) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: isRead ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    // npm is a batch file on Windows, which only a shell runs.
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (!isRead)
    for (const line of `${result.stdout}${result.stderr}`.split('\n')) if (line.trim() !== '') say(line);
  if (result.status !== 0) {
    say(`"${command} ${args.join(' ')}" failed.`, 60);
    process.exit(result.status ?? 1);
  }
}

/** Newest change below the given files and folders, in ms. */
function newest(paths) {
  let latest = 0;
  const walk = (file) => {
    if (!existsSync(file)) return;
    const stat = statSync(file);
    latest = Math.max(latest, stat.mtimeMs);
    if (stat.isDirectory()) for (const name of readdirSync(file)) walk(path.join(file, name));
  };
  for (const name of paths) walk(at(name));
  return latest;
}

// A package from `npm pack` contains the build but no sources.
if (!existsSync(at('app'))) process.exit(0);
if (!existsSync(at('package-lock.json')) && !existsSync(at('node_modules'))) {
  say('package-lock.json is missing.', 60);
  process.exit(1);
}
if (mtime(at('package-lock.json')) > mtime(at('node_modules/.package-lock.json'))) {
  say('Installing packages …');
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
}

// `npm test` builds beside its static checks, which need the packages alone.
if (process.argv.includes('--packages')) process.exit(0);

const sources = [
  'app',
  'models',
  'cli',
  'public',
  'remix.config.js',
  'vite.config.ts',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/build-node.mjs',
  'scripts/build-icons.mjs',
  'scripts/build-service-worker.mjs',
];
if (newest(sources) > mtime(at('build/.complete'))) {
  say('Building …');
  run(process.execPath, [at('scripts/build.mjs')]);
}
