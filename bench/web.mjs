// Prints, as ratios of one run: the speed of the public calculator compared with React alone, the cost of compression, the
// start time of the server, the amount of JavaScript its pages load, and whether memory grows with requests.
//   npm run build && npm run bench -- web [--quick]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { javascriptOf } from '../scripts/javascript-size.mjs';
import { requestsPerSecond } from './web/load.mjs';
import { get, heapHook, startApp, startBare } from './web/servers.mjs';

const client = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'build/client');
const ADDRESS = '/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25';
const BROWSER = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
const QUICK = process.argv.includes('--quick');
const ROUNDS = QUICK ? 3 : 5;
const SECONDS = QUICK ? 1 : 3;
const STARTS = QUICK ? 3 : 9;
const HEAP_REQUESTS = QUICK ? 2_000 : 20_000;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function report(name, value, limit, ok, digits = 2) {
  const shown = value.toFixed(digits).padStart(9);
  console.log(`${name.padEnd(62)} ${shown}   to reach ${limit}   ${ok ? 'ok' : 'MISSED'}`);
  if (!ok) process.exitCode = 1;
}

/** Each round measures all alternately, so that a busy moment of the machine affects all. */
async function medians(measures) {
  const results = measures.map(() => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, measure] of measures.entries()) {
      const value = await measure();
      // The first round is a warm-up.
      if (round > 0) results[index].push(value);
    }
  }
  return results.map(median);
}

async function throughput() {
  const app = await startApp();
  const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-bench-'));
  const file = path.join(folder, 'page.html');
  const { body } = await get(app.port, ADDRESS);
  writeFileSync(file, body);
  const bare = await startBare('render', file);
  const rendered = (await get(bare.port, '/')).body;
  // Without the loaders' data after the page.
  const page = body.slice(0, body.indexOf('</html>'));
  if (Math.abs(rendered.length / page.length - 1) > 0.05)
    throw new Error('the baseline renders another page');
  const [whole, compressed, react] = await medians([
    () => requestsPerSecond(app.port, ADDRESS, { seconds: SECONDS }),
    () => requestsPerSecond(app.port, ADDRESS, { seconds: SECONDS, headers: BROWSER }),
    () => requestsPerSecond(bare.port, '/', { seconds: SECONDS }),
  ]);
  await Promise.all([app.stop(), bare.stop()]);
  rmSync(folder, { recursive: true });
  report(
    'GET /calculator ÷ renderToPipeableStream of the same tree',
    whole / react,
    '>= 0.25',
    whole / react >= 0.25,
  );
  const cost = compressed / whole;
  report("with a browser's Accept-Encoding ÷ without", cost, '>= 0.6', cost >= 0.6);
}

async function coldStart() {
  const [app, bare] = [[], []];
  for (let round = 0; round < STARTS; round += 1) {
    for (const [times, start] of [
      [app, () => startApp()],
      [bare, () => startBare('plain')],
    ]) {
      const server = await start();
      times.push(server.milliseconds);
      await server.stop();
    }
  }
  const ratio = median(app) / median(bare);
  report('cold start to the first 200 ÷ a bare node:http server', ratio, '<= 16', ratio <= 16, 1);
}

function javascript() {
  for (const [name, routeId] of [
    ['/', 'routes/_index'],
    ['/calculator', 'routes/calculator'],
    ['/login', 'routes/login'],
    ['/register', 'routes/register'],
  ]) {
    const kilobytes = javascriptOf(client, routeId).totalBytes / 1000;
    report(`JavaScript of ${name}, kB after gzip`, kilobytes, '<= 135', kilobytes <= 135, 1);
  }
  const own = javascriptOf(client, 'routes/calculator').ownBytes / 1000;
  report('of it for the calculator alone, kB after gzip', own, '<= 20', own <= 20, 1);
}

function heapOf({ child }) {
  return new Promise((resolve) => {
    child.stderr.on('data', function read(text) {
      const bytes = /heap (\d+)/.exec(text)?.[1];
      if (bytes === undefined) return;
      child.stderr.off('data', read);
      resolve(Number(bytes));
    });
    child.kill('SIGUSR2');
  });
}

async function heapGrowth() {
  const app = await startApp({ nodeArgs: ['--expose-gc', '--import', heapHook] });
  const after = [];
  for (let run = 0; run < 2; run += 1) {
    await requestsPerSecond(app.port, ADDRESS, { requests: HEAP_REQUESTS, headers: BROWSER });
    after.push(await heapOf(app));
  }
  await app.stop();
  const growth = (after[1] - after[0]) / 1024 / 1024;
  const name = `heap after ${2 * HEAP_REQUESTS} requests − after ${HEAP_REQUESTS}, MB`;
  report(name, growth, '<= 5', growth <= 5, 1);
}

javascript();
await coldStart();
await throughput();
await heapGrowth();
