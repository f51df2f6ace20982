// Prints, as ratios of one run: when the calculator first paints and when its first input can be used, on a slow phone,
// beside a page that is a file with the same styles and scripts.
//   npm run build && npm run bench -- paint [rounds]
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import sirv from 'sirv';
import { ensureChromium } from '../scripts/chromium.mjs';
import { report } from './calculation-data.mjs';
import { freePort, get, startApp } from './web/servers.mjs';

const ROUNDS = Number(process.argv[2] ?? 7);
const LIMIT = 1.3;
/** A mid-range phone on a slow connection: 1.6 Mbit/s with 150 ms latency, a quarter of this processor's speed. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const CPU = 4;
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const client = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'build/client');

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The page as a file: its scripts keep their nonce, which no policy asks for here. */
async function startStatic(html) {
  const page = gzipSync(html);
  const files = sirv(client, { gzip: true, brotli: true, immutable: true, maxAge: 31_536_000 });
  const server = createServer((request, response) => {
    if (request.url !== '/calculator') return files(request, response);
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': 'gzip' });
    return response.end(page);
  });
  const port = await freePort();
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { port, stop: () => (server.closeAllConnections(), server.close()) };
}

/** One visit with an empty cache. @returns milliseconds from the request */
async function visit(browser, port) {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU });
  await page.goto(`http://localhost:${port}/calculator`, { waitUntil: 'load' });
  const paint = await page.waitForFunction(
    () => globalThis.performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  const times = {
    paint: await paint.jsonValue(),
    // The form works without scripts, so it can be used as soon as it has been parsed and painted.
    input: await page.evaluate(() => globalThis.performance.getEntriesByType('navigation')[0].domInteractive),
  };
  await context.close();
  return { paint: times.paint, input: Math.max(times.paint, times.input) };
}

const app = await startApp();
const fixed = await startStatic((await get(app.port, '/calculator')).body);
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ['--no-sandbox'] });
try {
  const seen = { app: [], fixed: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [ours, theirs] = [await visit(browser, app.port), await visit(browser, fixed.port)];
    // The first round is a warm-up.
    if (round === 0) continue;
    seen.app.push(ours);
    seen.fixed.push(theirs);
  }
  for (const [what, name] of [
    ['paint', 'first contentful paint of the calculator ÷ a static page'],
    ['input', 'first input usable ÷ a static page'],
  ]) {
    const [ours, theirs] = [seen.app, seen.fixed].map((visits) => median(visits.map((one) => one[what])));
    console.log(`${what}: ${ours.toFixed(0)} ms, static ${theirs.toFixed(0)} ms`);
    report(name, ours / theirs, `<= ${LIMIT}`, ours / theirs <= LIMIT);
  }
} finally {
  await browser.close();
  fixed.stop();
  await app.stop();
}
