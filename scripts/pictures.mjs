// Takes the README's and the home page's pictures from the built app, with a temporary account that has
// the demo's data.
//   npm run build && node scripts/pictures.mjs
import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { startApp } from '../bench/web/servers.mjs';
import { ensureChromium } from './chromium.mjs';

/** The limit for all pictures together, because every clone includes them. */
const MAX_TOTAL_BYTES = 400_000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** The folders of the README's and the home page's pictures. */
const FOLDERS = { docs: path.join(root, 'docs/pictures'), home: path.join(root, 'public/pictures') };

const EMAIL = 'ada@example.org';

/** A time zone where it is between nine and ten in the morning, so that Today is always half done. */
const now = Date.now();
const hoursAhead = ((9 - new Date(now).getUTCHours() + 36) % 24) - 12;
const timeZone = hoursAhead === 0 ? 'UTC' : `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`;

const DESKTOP = { viewport: { width: 1200, height: 820 }, deviceScaleFactor: 1.5 };
const PHONE = { viewport: { width: 390, height: 820 }, deviceScaleFactor: 1.5, isMobile: true };
const CALCULATION = 'peptideName=BPC-157&peptideAmount=5&waterVolume=2&desiredDose=250&desiredDoseUnit=mcg';

const PICTURES = [
  { name: 'today-light', address: '/dashboard/schedule', colorScheme: 'light', screen: DESKTOP },
  { name: 'calculator-dark', address: `/calculator?${CALCULATION}`, colorScheme: 'dark', screen: DESKTOP },
  { name: 'today-phone', address: '/dashboard/schedule', colorScheme: 'light', screen: PHONE },
];

/** The home page shows these in light and dark; `landing-sections.tsx` has their sizes and descriptions. */
const HOME = { viewport: { width: 1000, height: 1000 }, deviceScaleFactor: 1.1 };
/** Starts slightly above the page's title. */
const HOME_SIZE = { width: 1000, height: 625 };
const HOME_PICTURES = [
  { name: 'today', address: '/dashboard/schedule' },
  { name: 'vials', address: '/dashboard/vials' },
  { name: 'analytics', address: '/dashboard/analytics' },
].flatMap(({ name, address }) =>
  ['light', 'dark'].map((colorScheme) => ({
    ...{ name: `${name}-${colorScheme}`, address, colorScheme },
    ...{ screen: HOME, folder: FOLDERS.home },
  })),
);

/** Registers an account with a running trial and signs the context in. */
async function register(context, origin) {
  const password = 'blue-kettle-47';
  const form = { email: EMAIL, password, confirmPassword: password };
  const answer = await context.request.post('/register', {
    headers: { origin },
    form: { ...form, agreeToTerms: 'on', ageVerification: 'on', plan: 'trial' },
    maxRedirects: 0,
  });
  if (answer.status() !== 302) throw new Error(`/register answered ${answer.status()}`);
}

/** Fills the account with the demo's data, in its own time zone. */
async function fill(context, origin, dataDir) {
  const answer = await context.request.put('/api/profile', { data: { timeZone }, headers: { origin } });
  if (!answer.ok()) throw new Error(`/api/profile answered ${answer.status()}`);
  const cli = path.join(root, 'build/cli/main.js');
  await promisify(execFile)(process.execPath, [cli, 'admin', 'demo', EMAIL], {
    env: { ...process.env, DATA_DIR: dataDir, NODE_ENV: 'production' },
  });
}

/** Writes a picture as WebP. @returns its size in bytes */
async function take(browser, settings, { name, address, colorScheme, screen, folder = FOLDERS.docs }) {
  const context = await browser.newContext({ ...settings, ...screen, colorScheme });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'networkidle' });
  const title = folder === FOLDERS.home ? await page.locator('h1').boundingBox() : null;
  const png = await page.screenshot(title ? { clip: { x: 0, y: title.y - 24, ...HOME_SIZE } } : {});
  await context.close();
  const picture = await sharp(png).webp({ quality: 82, effort: 6 }).toBuffer();
  await writeFile(path.join(folder, `${name}.webp`), picture);
  console.log(`${name}.webp  ${Math.round(picture.byteLength / 1000)} kB`);
  return picture.byteLength;
}

const executablePath = await ensureChromium();
const app = await startApp();
const origin = `http://localhost:${app.port}`;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const context = await browser.newContext({ baseURL: origin });
  await register(context, origin);
  await fill(context, origin, app.dataDir);
  const settings = {
    baseURL: origin,
    storageState: await context.storageState(),
    timezoneId: timeZone,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  };
  for (const folder of Object.values(FOLDERS)) {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) await rm(path.join(folder, name));
  }
  let total = 0;
  for (const picture of [...PICTURES, ...HOME_PICTURES]) total += await take(browser, settings, picture);
  if (total > MAX_TOTAL_BYTES) throw new Error(`${total} bytes of pictures, more than ${MAX_TOTAL_BYTES}`);
} finally {
  await browser.close();
  await app.stop();
}
