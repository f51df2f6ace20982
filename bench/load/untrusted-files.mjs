// One account sends files that cost more to read than to send, five at once. Measures how long another visitor waits at most, and
// whether the server is still the same process.
import { performance } from 'node:perf_hooks';
import { check } from './count.mjs';
import { ask } from './people.mjs';

const AT_ONCE = 5;
const MOST_SECONDS = 8;
const PATIENCE_MS = 900_000;

/** Points of a metric whose lists take ten times their length in memory, in entries as long as they may be. */
const lists = () => {
  const entry = `[${'[],'.repeat(330_000)}[]]`;
  return `{"data":{"metrics":[{"data":[${Array.from({ length: 30 }, () => entry).join(',')}]}]}}`;
};

const apple = (unit) =>
  `<HealthData><Record type="HKQuantityTypeIdentifierBodyMass" unit="${unit}" value="80" startDate="2024-02-06 08:00:00 +0000" endDate="2024-02-06 08:00:00 +0000"/></HealthData>`;

/** Imports, each with its media type. */
const FILES = [
  ['application/json', lists()],
  ['application/json', `{"calculations":[${'['.repeat(30_000_000)}`],
  ['application/json', `{"lots":[{"id":"${'\\"'.repeat(90_000)}\\\n"}]}`],
  ['application/xml', `<HealthData>${'<a>'.repeat(10_000_000)}`],
  ['application/xml', apple('x'.repeat(30_000_000))],
  ['application/xml', apple('&lt;'.repeat(200_000))],
  ['text/csv', `takenAt,name,amount,unit\n"${'a'.repeat(30_000_000)}"`],
  ['text/csv', `takenAt,name,amount,unit\n${'a,'.repeat(15_000_000)}`],
];

async function longestWait(port, work) {
  let isOver = false;
  work.finally(() => (isOver = true)).catch(() => {});
  let longest = 0;
  do {
    const start = performance.now();
    const { status } = await ask(port, '/calculator', { timeout: PATIENCE_MS });
    if (status !== 200) throw new Error(`another visitor got ${status}`);
    longest = Math.max(longest, (performance.now() - start) / 1000);
  } while (!isOver);
  await work;
  return longest;
}

async function send(port, token, [type, body]) {
  const headers = { 'content-type': type, authorization: `Bearer ${token}` };
  const { status } = await ask(port, '/api/import', { method: 'POST', headers, body, timeout: PATIENCE_MS });
  return status;
}

/**
 * Sends every file at full size, five at once.
 * @param token of an account with Premium, on a server whose limits are raised by RATE_LIMIT_FACTOR
 */
export async function untrustedFiles(port, token) {
  for (const file of FILES) {
    const work = Promise.all(Array.from({ length: AT_ONCE }, () => send(port, token, file)));
    const longest = await longestWait(port, work);
    const statuses = [...new Set(await work)].toSorted();
    check(
      `${file[0]} ${file[1].slice(0, 30)}…, ${AT_ONCE} at once`,
      longest <= MOST_SECONDS && statuses.every((status) => [400, 413, 422, 429].includes(status)),
      `answered ${statuses.join(', ')}; another visitor waited at most ${longest.toFixed(1)} s (at most ${MOST_SECONDS})`,
    );
  }
}
