// What anybody can send without an account: long paths, and uploads that are refused before they are read. Measures how long
// other visitors wait meanwhile, and behind nginx afterwards.
import { Agent, request } from 'node:http';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { freePort } from '../web/servers.mjs';
import { hasNginx, startNginx } from '../../scripts/nginx.mjs';
import { check } from './count.mjs';
import { newFolder, startWeb } from './processes.mjs';

/** In seconds, also on a busy machine. Before there were bounds, it was 17 to 82. */
const LONGEST_WAIT = 12;
const AT_ONCE = 5;
/** As many as nginx keeps connections to the server. */
const UPLOADS = 32;
const VISITORS = 20;

const deep = (segments, under = '') => under + '/a'.repeat(segments);

const LONG = {
  'long paths': deep(7800),
  'long paths of the dashboard': deep(7000, '/dashboard'),
  'one path for the route manifest': `/__manifest?version=1&p=${deep(3700, '/dashboard')}`,
  'many paths for the route manifest': `/__manifest?version=1${`&p=${deep(12)}`.repeat(500)}`,
};

const KINDS = {
  'forms without a session': ['/dashboard/calculator', 'text/plain', 302],
  'imports without a session': ['/dashboard/import', 'text/plain', 302],
  'calls without a token': ['/api/compounds', 'application/json', 401],
  'forms to an address that does not exist': ['/nowhere', 'application/x-www-form-urlencoded', 404],
  'forms to a page without forms': ['/terms', 'application/x-www-form-urlencoded', 405],
};

/** @returns the status and how long the answer took, in seconds */
function send(port, address, { method = 'GET', headers = {}, body, agent = false } = {}) {
  const begin = performance.now();
  const origin = `http://localhost:${port}`;
  const length = body ? { 'content-length': body.length } : {};
  const options = { port, host: '127.0.0.1', path: address, method, agent };
  return new Promise((resolve, reject) => {
    const sent = request(
      { ...options, headers: { host: `localhost:${port}`, origin, ...length, ...headers } },
      (answer) => {
        answer.resume().once('end', () => {
          resolve({ status: answer.statusCode, seconds: (performance.now() - begin) / 1000 });
        });
      },
    );
    sent.once('error', reject).end(body);
  });
}

const upload = (port, [address, type], body, agent = false) =>
  send(port, address, { method: 'POST', headers: { 'content-type': type }, body, agent });

/** Visits until `work` has ended. @returns the longest wait, in seconds */
async function longestWait(port, work) {
  let isOver = false;
  const done = work.finally(() => (isOver = true));
  let longest = 0;
  do longest = Math.max(longest, (await send(port, '/calculator')).seconds);
  while (!isOver);
  await done;
  return longest;
}

const checkWait = (name, seconds) =>
  check(
    `${name}: nobody waits longer than ${LONGEST_WAIT} s`,
    seconds <= LONGEST_WAIT,
    `${seconds.toFixed(1)} s`,
  );

async function longPaths(port) {
  for (const [name, address] of Object.entries(LONG)) {
    const work = Promise.all(Array.from({ length: AT_ONCE }, () => send(port, address)));
    checkWait(name, await longestWait(port, work));
  }
}

/** Two requests on one connection, of which the first is refused before its body is read. */
async function oneConnection(port) {
  for (const [name, kind] of Object.entries(KINDS)) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { status } = await upload(port, kind, Buffer.alloc(900_000, 'a'), agent);
    check(`${name}: refused`, status === kind[2], String(status));
    checkWait(
      `${name}: the next request on the connection`,
      (await send(port, '/healthz', { agent })).seconds,
    );
    agent.destroy();
  }
}

async function behindNginx(server) {
  const port = await freePort();
  const nginx = await startNginx(port, [server]);
  try {
    for (const [name, kind] of Object.entries(KINDS)) {
      const uploads = Array.from({ length: UPLOADS }, () => upload(port, kind, Buffer.alloc(900_000, 'a')));
      const meanwhile = await longestWait(port, Promise.all(uploads));
      const visits = await Promise.all(Array.from({ length: VISITORS }, () => send(port, '/calculator')));
      const seconds = Math.max(meanwhile, ...visits.map((visit) => visit.seconds));
      checkWait(`${UPLOADS} ${name} behind nginx, ${VISITORS} other visitors`, seconds);
    }
  } finally {
    await nginx.stop();
  }
}

/** The scenario, with its checks. */
export async function door() {
  const { folder, remove } = newFolder();
  const web = await startWeb({ DATA_DIR: path.join(folder, 'data'), TRUST_PROXY: '1' });
  try {
    await longPaths(web.port);
    await oneConnection(web.port);
    if (hasNginx) await behindNginx(web.port);
    else console.log('nginx is not installed: what happens behind it is not measured');
  } finally {
    await web.stop();
    remove();
  }
}
