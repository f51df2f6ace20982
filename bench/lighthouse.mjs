// Prints Lighthouse's mobile scores for the first pages that visitors open, and for everyday pages, signed
// in to a demo with its year of data. Lighthouse is installed into a separate folder,
// because it is incompatible with this project's lock file. A busy machine costs performance points, so a page
// is measured again until its score is 100, and the best of the rounds counts.
//   npm run build && npm run bench -- lighthouse [rounds] [--keep]     --keep leaves the reports in tmp/lighthouse
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from '../scripts/chromium.mjs';
import { report } from './calculation-data.mjs';
import { startApp } from './web/servers.mjs';

const VERSION = '12.8.2';
const PAGES = ['/', '/calculator', '/login', '/register'];
/** Opened signed in. */
const DEMO_PAGES = ['/dashboard/schedule', '/dashboard/vials', '/dashboard/analytics'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const WHOLE = 100;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = process.env.LIGHTHOUSE_DIR ?? path.join(tmpdir(), `vialbook-lighthouse-${VERSION}`);
const program = path.join(folder, 'node_modules/.bin/lighthouse');
const reports = path.join(root, 'tmp/lighthouse');

const args = process.argv.slice(2);
const rounds = Number(args.find((arg) => !arg.startsWith('--')) ?? 3);
const keeps = args.includes('--keep');

function install() {
  if (existsSync(program)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  console.log(`installing Lighthouse ${VERSION} into ${folder}`);
  const what = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `lighthouse@${VERSION}`];
  const { status } = spawnSync('npm', what, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0 || !existsSync(program)) throw new Error('Lighthouse could not be installed');
}

/** Measures a page. @returns the categories' scores, 0 to 100, and what cost points; null when the measurement failed */
function look(address, chromium, file, cookie) {
  const flags = [
    `--only-categories=${CATEGORIES.join(',')}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage',
    '--output=json',
    `--output-path=${file}`,
    '--quiet',
    ...(cookie === null ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
  ];
  const { status, stderr } = spawnSync(process.execPath, [program, address, ...flags], {
    env: { ...process.env, CHROME_PATH: chromium },
    encoding: 'utf8',
    timeout: 180_000,
  });
  if (status !== 0) {
    console.log(`Lighthouse ended with ${status} on ${address}: ${stderr.trim().split('\n')[0]}`);
    return null;
  }
  const { categories, audits } = JSON.parse(readFileSync(file, 'utf8'));
  return CATEGORIES.map((id) => ({
    id,
    points: Math.round(categories[id].score * 100),
    lost: categories[id].auditRefs
      .filter(({ id: audit, weight }) => weight > 0 && (audits[audit].score ?? 1) < 1)
      .map(({ id: audit }) => `${audit} ${audits[audit].displayValue ?? ''}`.trim()),
  }));
}

install();
const chromium = await ensureChromium();
mkdirSync(reports, { recursive: true });
/** Starts a demo. @returns its session cookies */
async function beginDemo(port) {
  const origin = `http://localhost:${port}`;
  const answer = await fetch(`${origin}/demo`, {
    ...{ method: 'POST', redirect: 'manual' },
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
  });
  if (answer.status !== 302) throw new Error(`the demo answered ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

const app = await startApp();
try {
  const cookie = await beginDemo(app.port);
  for (const page of [...PAGES, ...DEMO_PAGES]) {
    const best = new Map();
    for (let round = 1; round <= rounds; round += 1) {
      const name = `${page === '/' ? 'landing' : page.slice(1).replaceAll('/', '-')}-${round}.json`;
      const signedIn = DEMO_PAGES.includes(page) ? cookie : null;
      const seen = look(`http://localhost:${app.port}${page}`, chromium, path.join(reports, name), signedIn);
      if (seen === null) continue;
      console.log(`${page} round ${round}: ${seen.map(({ id, points }) => `${id} ${points}`).join(', ')}`);
      for (const one of seen) if (one.points > (best.get(one.id)?.points ?? -1)) best.set(one.id, one);
      if ([...best.values()].every(({ points }) => points === WHOLE)) break;
    }
    if (best.size === 0) throw new Error(`no look at ${page} came to its end`);
    for (const [id, { points, lost }] of best) {
      report(`${id} of ${page}`, points, `>= ${WHOLE}`, points >= WHOLE);
      if (points < WHOLE) console.log(`  ${lost.join('; ')}`);
    }
  }
} finally {
  await app.stop();
  if (!keeps) rmSync(reports, { recursive: true, force: true });
}
const verdict = process.exitCode ? 'FAILED' : 'PASSED';
console.log(
  `lighthouse: load ${(os.loadavg()[0] ?? 0).toFixed(2)} at the end, best of at most ${rounds} rounds: ${verdict}`,
);
