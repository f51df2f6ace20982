// `npm run pictures`: takes the README's pictures of the built app, with an account that lasts as long as the script.
//   npm run build && npm run pictures
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { startApp } from '../bench/web/servers.mjs';
import { ensureChromium } from './chromium.mjs';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Every clone carries the pictures, so together they stay under this. */
const MAX_TOTAL_BYTES = 400_000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'docs/pictures');

/** A time zone where it is between nine and ten in the morning, so that Today is half done whenever this runs. */
const now = Date.now();
const hoursAhead = ((9 - new Date(now).getUTCHours() + 36) % 24) - 12;
const timeZone = `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`;

/** The last full quarter of an hour there, as HH:MM: a dose planned for then is due now. */
const lastQuarter = new Date(now + hoursAhead * HOUR_MS - (now % (15 * MINUTE_MS)))
  .toISOString()
  .slice(11, 16);

/** The calendar day that many days ago in that zone, as YYYY-MM-DD. */
const daysAgo = (days) => new Date(now + hoursAhead * HOUR_MS - days * DAY_MS).toISOString().slice(0, 10);

const DESKTOP = { viewport: { width: 1200, height: 820 }, deviceScaleFactor: 1.5 };
const PHONE = { viewport: { width: 390, height: 820 }, deviceScaleFactor: 1.5, isMobile: true };
const CALCULATION = 'peptideName=BPC-157&peptideAmount=5&waterVolume=2&desiredDose=250&desiredDoseUnit=mcg';

const PICTURES = [
  { name: 'today-light', address: '/dashboard/schedule', colorScheme: 'light', screen: DESKTOP },
  { name: 'calculator-dark', address: `/calculator?${CALCULATION}`, colorScheme: 'dark', screen: DESKTOP },
  { name: 'today-phone', address: '/dashboard/schedule', colorScheme: 'light', screen: PHONE },
];

/** Registers an account with a running trial; the context is signed in as it from then on. */
async function register(context, origin) {
  const password = 'blue-kettle-47';
  const form = { email: 'ada@example.org', password, confirmPassword: password };
  const answer = await context.request.post('/register', {
    headers: { origin },
    form: { ...form, agreeToTerms: 'on', ageVerification: 'on', plan: 'trial' },
    maxRedirects: 0,
  });
  if (answer.status() !== 302) throw new Error(`/register answered ${answer.status()}`);
}

/** Gives the account three compounds in stock, a schedule for each, and this morning's dose. */
async function fill(call) {
  await call('PUT', '/api/profile', { timeZone });
  const plans = [
    { name: 'BPC-157', dose: 250, waterMl: 2, frequency: { kind: 'daily' }, time: '08:00' },
    {
      name: 'Semaglutide',
      dose: 250,
      waterMl: 2,
      frequency: { kind: 'interval', every: 7 },
      time: lastQuarter,
    },
    {
      name: 'Ipamorelin',
      dose: 200,
      waterMl: 2.5,
      frequency: { kind: 'cycle', on: 5, off: 2 },
      time: '22:00',
    },
  ];
  for (const { name, dose, waterMl, frequency, time } of plans) {
    await call('POST', '/api/compounds', { name, amountMg: 5, waterMl, reconstitutionDate: daysAgo(9) });
    await call('POST', '/api/schedules', {
      name,
      doseAmount: dose,
      doseUnit: 'mcg',
      frequency,
      times: [time],
      startDate: daysAgo(28),
      timeZone,
    });
  }
  const { doses } = await call('GET', `/api/schedules/doses?startDate=${daysAgo(0)}&endDate=${daysAgo(0)}`);
  const { id, dueDate } = doses.find(({ name }) => name === 'BPC-157');
  const takenAt = new Date(Date.parse(dueDate) + 4 * MINUTE_MS).toISOString();
  await call('PATCH', `/api/schedules/doses/${id}/taken`, { takenAt, site: 'abdomen-upper-left' });
}

/** @returns the bytes of the picture, which is written as WebP */
async function take(browser, settings, { name, address, colorScheme, screen }) {
  const context = await browser.newContext({ ...settings, ...screen, colorScheme });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'networkidle' });
  const png = await page.screenshot();
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
  await fill(async (method, address, data) => {
    const answer = await context.request.fetch(address, { method, data, headers: { origin } });
    const body = await answer.json();
    if (!body.success) throw new Error(`${method} ${address}: ${body.error}, ${body.message}`);
    return body.data;
  });
  const settings = {
    baseURL: origin,
    storageState: await context.storageState(),
    timezoneId: timeZone,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  };
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) await rm(path.join(folder, name));
  let total = 0;
  for (const picture of PICTURES) total += await take(browser, settings, picture);
  if (total > MAX_TOTAL_BYTES) throw new Error(`${total} bytes of pictures, more than ${MAX_TOTAL_BYTES}`);
} finally {
  await browser.close();
  await app.stop();
}
