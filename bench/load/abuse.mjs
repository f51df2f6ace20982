// One account sends heavy requests, five at once of each kind: exports (CSV, JSON, PDF), picture uploads, password
// guesses, and files that cost more to read than to send. Measures the effect on another user, and the server's memory afterwards.
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { URLSearchParams } from 'node:url';
import sharp from 'sharp';
import { check } from './count.mjs';
import { ask, registerPeople, signIn } from './people.mjs';
import { databaseIn, newFolder, ownMemoryMb, startWeb } from './processes.mjs';
import { browse, call, cookieOf, copyRows, importFile, p95 } from './two-users.mjs';
import { untrustedFiles } from './untrusted-files.mjs';

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
/** As many as a PDF may hold. */
const ROWS = option('rows', 20_000);
const AT_ONCE = 5;
const SECONDS = option('seconds', 15);
const MOST_TIMES_SLOWER = 5;
const MOST_TIMES_LARGER = 2;
const REST_MS = 20_000;
const PATIENCE_MS = 900_000;

/** The largest accepted picture: 24 megapixels of one colour, a few kilobytes. */
const picture = () =>
  sharp({ create: { width: 6000, height: 4000, channels: 3, background: '#c08040' } })
    .png()
    .toBuffer();

async function sideEffect(port, token) {
  const body = { name: 'Redness', severity: 2, startedAt: new Date().toISOString() };
  const answer = await call(port, token, 'POST', '/api/side-effects', body);
  if (answer.status !== 201) throw new Error(`a side effect: ${answer.status} ${answer.body.slice(0, 300)}`);
  return JSON.parse(answer.body).data.sideEffect.id;
}

async function upload(port, token, address, bytes) {
  const boundary = 'vialbook-abuse';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    authorization: `Bearer ${token}`,
  };
  return ask(port, address, { method: 'POST', headers, body, timeout: PATIENCE_MS });
}

const guess = (port, turn) =>
  ask(port, '/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: `http://localhost:${port}` },
    body: String(new URLSearchParams({ email: `nobody-${turn}@example.org`, password: 'a wrong guess' })),
  });

/** The kinds of heavy work, each as one request that is sent repeatedly. */
async function kinds(port, token) {
  const bytes = await picture();
  const id = await sideEffect(port, token);
  const exported = (format) => () =>
    call(port, token, 'GET', `/api/export?format=${format}&types=calculations`);
  let turn = 0;
  return {
    'CSV exports': exported('csv'),
    'JSON exports': exported('json'),
    'PDF exports': exported('pdf'),
    pictures: () => upload(port, token, `/api/side-effects/${id}/images`, bytes),
    guesses: () => guess(port, (turn += 1)),
  };
}

/** The other user's response times while work of one kind is sent five at once; all started work is awaited. */
async function under(port, cookie, work) {
  const statuses = {};
  const until = performance.now() + SECONDS * 1000;
  let isBusy = true;
  const one = async () => {
    do {
      const { status } = await work();
      statuses[status] = (statuses[status] ?? 0) + 1;
      // A refused client retries at once, but not a thousand times a second.
      if (status === 429) await new Promise((resolve) => setTimeout(resolve, 50));
    } while (performance.now() < until);
  };
  const reading = browse(port, cookie, () => isBusy);
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  isBusy = false;
  return { ...(await reading), statuses };
}

async function measure(web, folder) {
  const { port } = web;
  const [busy, other] = await registerPeople(port, 2, 'abuse');
  const { token } = await signIn(port, busy);
  const cookie = await cookieOf(port, other);
  const importId = await importFile(port, token, 1);
  const database = databaseIn(folder);
  const served = await database.start();
  await copyRows(database.uri, importId, ROWS - 1, ROWS);
  await served.stop();

  const quietFor = (seconds) => {
    const until = performance.now() + seconds * 1000;
    return browse(port, cookie, () => performance.now() < until);
  };
  await quietFor(SECONDS);
  const before = ownMemoryMb(web.pid);
  for (const [name, work] of Object.entries(await kinds(port, token))) {
    // Measured right before, so that both have the same load on this machine.
    const idle = p95((await quietFor(SECONDS)).times);
    const { times, failed, statuses } = await under(port, cookie, work);
    const loud = p95(times);
    check(
      `${name}: another person's pages take at most ${MOST_TIMES_SLOWER} times as long (95th percentile)`,
      loud <= MOST_TIMES_SLOWER * idle && failed === 0,
      `${(loud / idle).toFixed(1)} times (${idle.toFixed(0)} → ${loud.toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)}), ` +
        `${failed} failed, statuses ${JSON.stringify(statuses)}, memory ${ownMemoryMb(web.pid).toFixed(0)} MB`,
    );
  }
  await untrustedFiles(port, token);
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const after = ownMemoryMb(web.pid);
  check(
    `memory at rest is at most ${MOST_TIMES_LARGER} times what it was`,
    after <= MOST_TIMES_LARGER * before,
    `${before.toFixed(0)} → ${after.toFixed(0)} MB`,
  );
}

/** The scenario, with its checks. */
export async function abuse() {
  const { folder, remove } = newFolder();
  // The same settings as `npm start`, the image and the systemd units.
  const { MALLOC_ARENA_MAX = '2', MALLOC_TRIM_THRESHOLD_ = '131072' } = process.env;
  const allocator = { MALLOC_ARENA_MAX, MALLOC_TRIM_THRESHOLD_ };
  const web = await startWeb({ DATA_DIR: path.join(folder, 'data'), ...allocator });
  try {
    await measure(web, folder);
  } finally {
    await web.stop();
    remove();
  }
}
