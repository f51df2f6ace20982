// Simulated people who sign in, calculate, save, take a dose and export, and record what was acknowledged.
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { URLSearchParams } from 'node:url';

export const PASSWORD = 'blue-kettle-47';
const agent = new http.Agent({ keepAlive: true, maxSockets: 512 });

/** Sends one request. @returns status 0 when there was no answer */
export function ask(port, path, { method = 'GET', headers = {}, body, timeout = 60_000 } = {}) {
  return new Promise((resolve) => {
    const sent = {
      ...headers,
      host: `localhost:${port}`,
      ...(body && { 'content-length': Buffer.byteLength(body) }),
    };
    const request = http.request({ port, path, method, headers: sent, agent, timeout }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', () => resolve({ status: 0, headers: {}, body: '' }));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve({ status: 0, headers: {}, body: '' }));
    request.end(body);
  });
}

const json = (token, more = {}) => ({
  'content-type': 'application/json',
  ...(token && { authorization: `Bearer ${token}` }),
  ...more,
});

/** What was sent and what was acknowledged, by name. */
export function newLedger() {
  return { sent: new Set(), acknowledged: new Set(), repeated: new Set(), failed: new Map(), next: 0 };
}

function note(ledger, status) {
  if (status >= 200 && status < 400) return true;
  ledger.failed.set(status, (ledger.failed.get(status) ?? 0) + 1);
  return false;
}

const isFault = (status) => status === 0 || status >= 500;
/** The answer to a repetition while the first request still runs. */
const STILL_RUNS = 409;

/** Saves something with a name of its own. In a world that `repeats`, what got no proper answer is sent again under its key. */
async function write(world, token, what, path, body) {
  const { port, ledger, prefix = 'n', repeats = false } = world;
  const name = `${prefix}-${what}-${(ledger.next += 1)}`;
  ledger.sent.add(name);
  const headers = json(token, repeats ? { 'idempotency-key': name } : {});
  const send = () => ask(port, path, { method: 'POST', headers, body: JSON.stringify(body(name)) });
  let { status } = await send();
  for (let again = repeats && isFault(status); again; again = isFault(status) || status === STILL_RUNS) {
    ledger.repeated.add(name);
    await new Promise((resolve) => setTimeout(resolve, 100));
    ({ status } = await send());
  }
  if (note(ledger, status)) {
    ledger.acknowledged.add(name);
    ledger.lastAt = Date.now();
  }
  return status;
}

/** Creates accounts in their trial, which have full access. */
export async function registerPeople(port, count, prefix = 'person') {
  const people = [];
  for (let index = 0; index < count; index += 1) {
    const email = `${prefix}-${index}@example.org`;
    const fields = {
      email,
      password: PASSWORD,
      confirmPassword: PASSWORD,
      agreeToTerms: 'on',
      ageVerification: 'on',
      plan: 'trial',
    };
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: `http://localhost:${port}`,
    };
    const { status, body } = await ask(port, '/register', {
      method: 'POST',
      headers,
      body: String(new URLSearchParams(fields)),
    });
    if (status !== 302) throw new Error(`registration answered ${status}: ${body.slice(0, 300)}`);
    people.push({ email });
  }
  return people;
}

export async function signIn(port, { email }) {
  const body = JSON.stringify({ email, password: PASSWORD });
  const answer = await ask(port, '/api/auth/login', { method: 'POST', headers: json(null), body });
  if (answer.status !== 200) return { status: answer.status, token: null };
  return { status: 200, token: JSON.parse(answer.body).data.token };
}

const calculation = (peptideName) => ({ peptideAmount: 5, waterVolume: 2, desiredDose: '0.25', peptideName });
const dose = (name) => ({ name, actualDose: '0.25', doseUnit: 'mg' });

/**
 * One visit: six requests, each after the one before.
 * @param tell called with the duration of each, in ms
 */
export async function journey(world, person, tell = () => {}) {
  const { port, ledger } = world;
  const timed = async (step) => {
    const begin = performance.now();
    const result = await step();
    tell(performance.now() - begin);
    return result;
  };
  const { status, token } = await timed(() => signIn(port, person));
  if (!note(ledger, status)) return false;
  const page = '/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25';
  note(ledger, (await timed(() => ask(port, page))).status);
  const headers = json(token);
  await timed(() => write(world, token, 'saved', '/api/calculations', calculation));
  await timed(() => write(world, token, 'taken', '/api/schedules/doses', dose));
  note(ledger, (await timed(() => ask(port, '/api/calculations?limit=20', { headers }))).status);
  note(
    ledger,
    (await timed(() => ask(port, '/api/export?format=csv&types=calculations', { headers }))).status,
  );
  return true;
}

/** Saves calculations and doses as fast as they are answered, until told to stop. */
export async function keepWriting(world, person, goesOn) {
  let token = null;
  while (goesOn()) {
    token ??= (await signIn(world.port, person)).token;
    if (token !== null) {
      const status = await write(world, token, 'saved', '/api/calculations', calculation);
      if (status === 401) token = null;
      if (status >= 200 && status < 300) await write(world, token, 'taken', '/api/schedules/doses', dose);
      if (status >= 200 && status < 500) continue;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
