// Takes the README's and the home page's pictures from the built app, with a temporary account that has
// the demo's data.
//   npm run build && node scripts/pictures.mjs          all of them
//   npm run build && node scripts/pictures.mjs preview  one of them
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
const HOME_SIZE = { width: 1000, height: 625 };
/** The same on a phone, from what the picture is about. The window is higher, so that the bar at its bottom is not in it. */
const HOME_PHONE = { viewport: { width: 360, height: 2000 }, deviceScaleFactor: 1.75, isMobile: true };
const HOME_PHONE_SIZE = { width: 360, height: 560 };
/** What messengers show beside a link to a public page; some of them read no WebP. `app/ui/public-meta.ts` has its size. */
const PREVIEW = {
  name: 'preview',
  address: `/calculator?${CALCULATION}`,
  colorScheme: 'light',
  screen: { viewport: { width: 1200, height: 630 } },
  folder: FOLDERS.home,
  format: 'jpg',
  isVisitor: true,
};
const HOME_PICTURES = [
  { name: 'today', address: '/dashboard/schedule', phoneFrom: 'h1' },
  { name: 'vials', address: '/dashboard/vials', phoneFrom: 'main .sheet' },
  { name: 'analytics', address: '/dashboard/analytics', phoneFrom: '.chart-figure' },
].flatMap(({ name, address, phoneFrom }) =>
  ['light', 'dark'].flatMap((colorScheme) =>
    [
      { name: `${name}-${colorScheme}`, screen: HOME, size: HOME_SIZE, from: 'h1', above: 24 },
      {
        name: `${name}-phone-${colorScheme}`,
        screen: HOME_PHONE,
        size: HOME_PHONE_SIZE,
        from: phoneFrom,
        above: 8,
      },
    ].map((picture) => ({ ...picture, address, colorScheme, folder: FOLDERS.home })),
  ),
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

/** Writes a picture. @returns its size in bytes */
async function take(
  browser,
  settings,
  {
    name,
    address,
    colorScheme,
    screen,
    size,
    from,
    above,
    folder = FOLDERS.docs,
    format = 'webp',
    isVisitor,
  },
) {
  const { storageState, ...others } = settings;
  const signedIn = isVisitor ? {} : { storageState };
  const context = await browser.newContext({ ...others, ...signedIn, ...screen, colorScheme });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'networkidle' });
  const start = size ? await page.locator(from).first().boundingBox() : null;
  const png = await page.screenshot(
    start ? { clip: { x: 0, y: start.y - above, ...size }, fullPage: true } : {},
  );
  await context.close();
  const image = sharp(png);
  const encoded =
    format === 'jpg' ? image.jpeg({ quality: 82, mozjpeg: true }) : image.webp({ quality: 72, effort: 6 });
  const picture = await encoded.toBuffer();
  await writeFile(path.join(folder, `${name}.${format}`), picture);
  console.log(`${name}.${format}  ${Math.round(picture.byteLength / 1000)} kB`);
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
  const [only] = process.argv.slice(2);
  const pictures = [...PICTURES, PREVIEW, ...HOME_PICTURES].filter(({ name }) => name === (only ?? name));
  for (const folder of Object.values(FOLDERS)) {
    await mkdir(folder, { recursive: true });
    if (only !== undefined) continue;
    for (const name of await readdir(folder)) await rm(path.join(folder, name));
  }
  let total = 0;
  for (const picture of pictures) total += await take(browser, settings, picture);
  if (total > MAX_TOTAL_BYTES) throw new Error(`${total} bytes of pictures, more than ${MAX_TOTAL_BYTES}`);
} finally {
  await browser.close();
  await app.stop();
}
