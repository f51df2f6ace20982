// Whether every page is valid HTML by vnu, the checker of validator.w3.org. It needs Java, and vnu.jar from npm the first time.
//   npm run build && npm run bench -- html          the public pages, and all that the demo's account links to
// Prints each message once, with how many pages have it. Exits with 1 if there is an error.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startApp } from './web/servers.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const run = promisify(execFile);

const PUBLIC_PAGES = [
  ...['/', '/?demo=1', '/calculator', '/calculator/ladder', '/sources', '/terms', '/privacy', '/api/docs'],
  ...['/login', '/register', '/forgot-password', '/demo', '/offline', '/admin/login', '/nowhere'],
  '/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25&advanced=on',
  '/calculator?peptideAmount=x&waterVolume=2',
  '/calculator/card?peptideAmount=5&waterVolume=2&desiredDose=0.25',
];

/** Pages of an account that links lead to from here; of each kind of address only the first is opened. */
const ACCOUNT_PAGES = ['/dashboard', '/dashboard/profile', '/dashboard/schedule', '/upgrade'];

const VNU = path.join(root, 'tmp/vnu');
const JAR = path.join(VNU, 'package/build/dist/vnu.jar');

/** Fetches the checker from npm unless it is there. */
async function checker() {
  if (existsSync(JAR)) return;
  mkdirSync(VNU, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--silent', 'vnu-jar'], { cwd: VNU });
  await run('tar', ['xzf', stdout.trim()], { cwd: VNU });
}

/** One kind of page: ids are left out, and of the query only its names. */
function kindOf({ pathname, searchParams }) {
  const path = pathname.replaceAll(/\/(?:[a-z]+_)?[\da-f-]{16,}|\/\d{4}-\d\d-\d\d/gi, '/:id');
  return `${path}?${[...new Set(searchParams.keys())].toSorted().join()}`;
}

/** The addresses on this site that a page links to. */
function linksOf(html, origin) {
  const hrefs = [...html.matchAll(/<a\b[^>]*?\shref="([^"]+)"/g)].map(([, href]) =>
    href.replaceAll('&amp;', '&'),
  );
  return hrefs.map((href) => new URL(href, origin)).filter((url) => url.origin === origin);
}

const { port, dataDir, stop } = await startApp({ env: { RATE_LIMIT_FACTOR: '1000' } });
const origin = `http://localhost:${port}`;
const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-html-'));
const addresses = new Map();

/** Opens a page with the cookies of an account, and keeps it for the checker. */
async function open(address, cookie) {
  const answer = await fetch(new URL(address, origin), { headers: { cookie }, redirect: 'manual' });
  const html = await answer.text();
  if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) return '';
  const file = `${addresses.size}.html`;
  addresses.set(file, address);
  writeFileSync(path.join(folder, file), html);
  return html;
}

/** Registers an account with everything that the demo has. @returns its cookies */
async function demoAccount() {
  const email = 'ada@example.org';
  const password = 'blue-kettle-47';
  const form = {
    email,
    password,
    confirmPassword: password,
    agreeToTerms: 'on',
    ageVerification: 'on',
    plan: 'trial',
  };
  const answer = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  await run(process.execPath, [path.join(root, 'build/cli/main.js'), 'admin', 'demo', email], {
    env: { ...process.env, DATA_DIR: dataDir, NODE_ENV: 'production' },
  });
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

/** Opens one page of each kind that links lead to. */
async function walk(cookie) {
  const seen = new Set();
  const waiting = ACCOUNT_PAGES.map((address) => new URL(address, origin));
  for (const url of waiting) {
    if (
      url.searchParams.has('help') ||
      seen.has(kindOf(url)) ||
      !/^\/(?:dashboard|upgrade)/.test(url.pathname)
    )
      continue;
    seen.add(kindOf(url));
    waiting.push(...linksOf(await open(`${url.pathname}${url.search}`, cookie), origin));
  }
}

/**
 * Remix streams a page's data in scripts behind its end, as its documentation describes. The checker reads nothing behind the
 * first of them, and there is nothing else.
 */
const STREAMED = /^Stray start tag “script”|^Cannot recover after last error/;

/** What the checker says of all pages: messages with the pages that have them. */
async function check() {
  const args = ['-jar', JAR, '--format', 'json', '--exit-zero-always', folder];
  const { stderr } = await run('java', args, { maxBuffer: 1e9 });
  const found = new Map();
  for (const { type, message, url, extract } of JSON.parse(stderr).messages) {
    if (type !== 'error' || STREAMED.test(message)) continue;
    const pages = found.get(message)?.pages ?? new Set();
    found.set(message, { extract, pages: pages.add(addresses.get(path.basename(url))) });
  }
  return found;
}

try {
  await checker();
  for (const address of PUBLIC_PAGES) await open(address, '');
  await walk(await demoAccount());
  const found = await check();
  for (const [message, { extract, pages }] of [...found].toSorted(
    ([, a], [, b]) => b.pages.size - a.pages.size,
  )) {
    console.log(`${pages.size} pages: ${message}`);
    console.log(`  ${[...pages].slice(0, 4).join(' ')}`);
    console.log(`  ${extract?.replaceAll(/\s+/g, ' ')}`);
  }
  console.log(`\n${addresses.size} pages, ${found.size} kinds of errors`);
  process.exitCode = found.size === 0 ? 0 : 1;
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}
