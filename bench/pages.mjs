// Prints the cost of each page of a full account: the server's processor time per request, over all threads. The account is
// a demo with its year of data. With `--beside`, another build is measured alternately, and the last column is the ratio.
//   npm run build && npm run bench -- pages [--beside FOLDER] [--rounds N] [--requests N] [path …]
import path from 'node:path';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { processorHook, startApp } from './web/servers.mjs';

const HERE = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    beside: { type: 'string' },
    rounds: { type: 'string', default: '25' },
    requests: { type: 'string', default: '10' },
  },
});
const ROUNDS = Number(values.rounds);
const REQUESTS = Number(values.requests);

const PAGES = [
  '/dashboard',
  '/dashboard/schedule',
  '/dashboard/schedule/all',
  '/dashboard/schedule/calendar',
  '/dashboard/schedule/adherence',
  '/dashboard/schedule/log',
  '/dashboard/schedule/backfill',
  '/dashboard/schedule/new',
  '/dashboard/vials',
  '/dashboard/vials/new',
  '/dashboard/lots',
  '/dashboard/supplies',
  '/dashboard/calculator',
  '/dashboard/analytics',
  '/dashboard/analytics?days=365',
  '/dashboard/analytics/report',
  '/dashboard/analytics/report/print',
  '/dashboard/tracking',
  '/dashboard/tracking/health',
  '/dashboard/tracking/nutrition',
  '/dashboard/tracking/side-effects',
  '/dashboard/tracking/side-effects/report',
  '/dashboard/vendors',
  '/dashboard/vendors/orders',
  '/dashboard/vendors/prices',
  '/dashboard/reminders',
  '/dashboard/export',
  '/dashboard/profile',
  '/dashboard/profile/notifications',
];

/** The minimum, because other load on the machine can only add to the cost. */
const least = (numbers) => Math.min(...numbers);

/** Sends one request with a browser's headers. @returns {Promise<{ status: number, headers: http.IncomingHttpHeaders, bytes: number }>} */
function ask(port, address, { method = 'GET', headers = {}, agent } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, path: address, method, agent, headers },
      (answer) => {
        let bytes = 0;
        answer.on('data', (chunk) => (bytes += chunk.length));
        answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, bytes }));
      },
    );
    request.on('error', reject);
    request.end();
  });
}

/** A built server with a demo, and the processor time it has used so far. */
async function signedIn(root) {
  const app = await startApp({
    folder: root,
    nodeArgs: ['--import', processorHook],
    env: { WORKER: 'off', RATE_LIMIT_FACTOR: '1000' },
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const origin = `http://localhost:${app.port}`;
  const begun = await ask(app.port, '/demo', {
    method: 'POST',
    headers: {
      host: `localhost:${app.port}`,
      origin,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '0',
    },
  });
  if (begun.status !== 302) throw new Error(`the demo answered ${begun.status}`);
  const cookie = begun.headers['set-cookie'].map((line) => line.split(';', 1)[0]).join('; ');
  const headers = {
    host: `localhost:${app.port}`,
    cookie,
    'accept-encoding': 'gzip, deflate, br',
    accept: 'text/html',
  };
  return {
    stop: () => app.stop(),
    get: (address) => ask(app.port, address, { agent, headers }),
    processorMs: () =>
      new Promise((resolve) => {
        app.child.stderr.on('data', function read(text) {
          const used = /processor (\d+)/.exec(text)?.[1];
          if (used === undefined) return;
          app.child.stderr.off('data', read);
          resolve(Number(used) / 1000);
        });
        app.child.kill('SIGUSR2');
      }),
  };
}

/** @returns processor time per request in ms */
async function costOf(server, address, requests) {
  const before = await server.processorMs();
  for (let n = 0; n < requests; n += 1) {
    const { status } = await server.get(address);
    if (status !== 200) throw new Error(`${address} answered ${status}`);
  }
  return ((await server.processorMs()) - before) / requests;
}

const servers = [];
try {
  servers.push(await signedIn(HERE));
  if (values.beside !== undefined) servers.push(await signedIn(path.resolve(values.beside)));
  const pages = [];
  for (const page of PAGES.filter((one) => positionals.length === 0 || positionals.includes(one))) {
    const { status } = await servers[0].get(page);
    if (status === 200) pages.push(page);
    else console.error(`${page} answered ${status}`);
  }
  const costs = new Map(pages.map((page) => [page, servers.map(() => [])]));
  // The first round is a warm-up. Each round alternates between the servers, so that a busy moment affects both.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const page of pages) {
      for (const [index, server] of servers.entries()) {
        const cost = await costOf(server, page, REQUESTS);
        if (round > 0) costs.get(page)[index].push(cost);
      }
    }
  }
  const rows = pages
    .map((page) => ({ page, ms: costs.get(page).map(least) }))
    .sort((a, b) => (b.ms[1] ?? b.ms[0]) - (a.ms[1] ?? a.ms[0]));
  console.log(
    `${'processor time a request'.padEnd(44)} ${servers.length > 1 ? '  beside' : ''}     here   here ÷ beside`,
  );
  for (const {
    page,
    ms: [here, beside],
  } of rows)
    console.log(
      `${page.padEnd(44)} ${beside === undefined ? '' : beside.toFixed(1).padStart(8)} ${here.toFixed(1).padStart(8)} ${beside === undefined ? '' : (here / beside).toFixed(2).padStart(8)}`,
    );
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}
