// Prints how long pages of a full account take from a press or key to the next paint, on a phone with a sixth of this
// machine's speed, and how much their layout shifts. The account is a demo with its year of data.
//   npm run build && npm run bench -- interaction [rounds]
import { chromium } from 'playwright-core';
import { ensureChromium } from '../scripts/chromium.mjs';
import { report } from './calculation-data.mjs';
import { startApp } from './web/servers.mjs';

const ROUNDS = Number(process.argv[2] ?? 3);
/** Good by the Core Web Vitals, https://web.dev/articles/inp; a shift is good below 0.1, ours do not move at all. */
const NEXT_PAINT_MS = 200;
const SHIFT = 0.01;
const CPU = 6;
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Types into a field key by key. */
const type = (name, text) => (page) => page.locator(`main [name="${name}"]`).first().pressSequentially(text);
/** Opens and closes the first disclosure. */
async function fold(page) {
  const summary = page.locator('main summary:visible').first();
  await summary.tap();
  await summary.tap();
}

/** Goes on to another page by its link. The page that answers counts as well, until it is there. */
const follow = (selector) => async (page) => {
  const from = page.url();
  await page.locator(selector).first().tap();
  await page.waitForURL((url) => url.href !== from);
};

/** The interactions on each page. */
const PAGES = [
  {
    at: '/dashboard/schedule',
    name: 'Today',
    acts: [fold, follow('main nav a[href="/dashboard/schedule/all"]')],
  },
  {
    at: '/dashboard/vials',
    name: 'vials',
    acts: [type('search', 'bpc'), follow('main a[href^="/dashboard/vials/vial_"]')],
  },
  {
    at: '/dashboard/calculator',
    name: 'the calculator',
    acts: [type('peptideAmount', '5'), type('waterVolume', '2'), type('desiredDose', '0.25'), fold],
  },
  {
    at: '/dashboard/analytics?days=365',
    name: 'analytics',
    acts: [fold, follow('main a[href="/dashboard/analytics/report"]')],
  },
];

/** Collects events and shifts from the beginning of each page. Without a press just before, a shift is the page's own. */
function observe() {
  const seen = { events: [], shifts: [] };
  globalThis.seen = seen;
  new globalThis.PerformanceObserver((list) => {
    for (const { name, duration, interactionId } of list.getEntries())
      if (interactionId > 0) seen.events.push({ name, duration });
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  new globalThis.PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        seen.shifts.push({
          value,
          what: sources.map(({ node }) => node?.className || node?.nodeName).join(', '),
        });
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Waits two frames and until the page is idle, so that everything presented has been measured. */
const painted = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const { requestAnimationFrame, requestIdleCallback } = globalThis;
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(resolve)));
      }),
  );

/** One visit. @returns the longest interaction in ms, and the sum of the shifts */
async function visit(context, { at, acts }, base) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU });
  await page.goto(`${base}${at}`, { waitUntil: 'networkidle' });
  await painted(page);
  // Later shifts are caused by interactions.
  const shifts = await page.evaluate(() => globalThis.seen.shifts.slice());
  for (const act of acts) {
    await act(page);
    await painted(page);
  }
  const { events } = await page.evaluate(() => globalThis.seen);
  if (events.length === 0) throw new Error(`nothing was measured on ${at}`);
  await page.close();
  const longest = events.toSorted((a, b) => b.duration - a.duration)[0];
  for (const { value, what } of shifts) console.log(`  ${at} moved by ${value.toFixed(4)}: ${what}`);
  return { ...longest, shift: shifts.reduce((sum, { value }) => sum + value, 0) };
}

const app = await startApp();
const base = `http://localhost:${app.port}`;
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ['--no-sandbox'] });
try {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' });
  await context.addInitScript(observe);
  const begun = await context.request.post(`${base}/demo`, {
    headers: { origin: base },
    form: {},
    maxRedirects: 0,
  });
  if (begun.status() !== 302) throw new Error(`the demo answered ${begun.status()}`);
  for (const place of PAGES) {
    const seen = [];
    // The first round is a warm-up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const one = await visit(context, place, base);
      if (round > 0) seen.push(one);
    }
    const longest = median(seen.map(({ duration }) => duration));
    const shift = Math.max(...seen.map((one) => one.shift));
    console.log(`${place.name}: ${seen.map(({ name, duration }) => `${name} ${duration} ms`).join(', ')}`);
    report(
      `interaction to next paint of ${place.name}, ms`,
      longest,
      `<= ${NEXT_PAINT_MS}`,
      longest <= NEXT_PAINT_MS,
    );
    report(`layout shift of ${place.name}`, shift, `<= ${SHIFT}`, shift <= SHIFT);
  }
} finally {
  await browser.close();
  await app.stop();
}
