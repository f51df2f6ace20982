import { API_VERSION } from '#app/platform/api/operation.ts';
import { describe, expect, it } from 'vitest';
import { combinations, isFullSize } from '#tests/support/size.ts';
import { expectSound } from '../routes/answers.ts';
import { readManifest } from '../routes/route-manifest.ts';
import { addressOf, CALLS, DOCUMENT, faultsOf, responseOf, type DocumentedCall } from './document.ts';
import { SAMPLES } from './samples/index.ts';
import type { Caller, Request } from './samples/sample.ts';
import { ApiClient, type ApiAnswer } from './client.ts';
import { useApi } from './world.ts';

/**
 * Sends every documented call as every kind of caller. The expected result follows from the document's `x-access`, `x-scope`
 * and `x-session-only`. A call without a sample fails, and so does one whose response is not as documented. `npm test` sends
 * each call as the caller it is for, as another user if it is about something owned, and as one further caller in turn.
 */
const world = useApi();

const SECURITY_HEADERS =
  /^(?:content-security-policy|cross-origin-|origin-agent-cluster|permissions-policy|referrer-policy|strict-transport|x-(?:content-type|frame|xss|robots|dns|download|permitted))/;

const CALLERS: readonly Caller[] = ['nobody', 'free', 'premium', 'other', 'admin', 'suspended', 'token'];

it('the samples cover exactly the existing calls', () => {
  expect(CALLS.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(SAMPLES).toSorted());
});

it('the tested document is what the server returns as /api/openapi.json', async () => {
  const { text } = await world.nobody().get('/api/openapi.json');
  const { servers: _, ...served } = JSON.parse(text) as typeof DOCUMENT;
  const { servers: __, ...made } = DOCUMENT;
  expect(served).toEqual(JSON.parse(JSON.stringify(made)));
});

it('the document is sent in OpenAPI 3.0, too, and compressed as the client prefers', async () => {
  const nobody = world.nobody();
  const served = async (coding: string, name = 'openapi-3.0.json') => {
    const { text, headers } = await nobody.call('GET', `/api/${name}`, {
      headers: { 'accept-encoding': coding },
    });
    return { document: JSON.parse(text) as { openapi: string }, coding: headers.get('content-encoding') };
  };
  for (const [wanted, sent] of [
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const)
    expect([wanted, (await served(wanted)).coding]).toEqual([wanted, sent]);
  const { document } = await served('br');
  expect(document.openapi).toBe('3.0.3');
  expect((await served('br', 'openapi.json')).document.openapi).toBe('3.1.0');
});

it('the calls and the document are all that is served under /api', async () => {
  const served = readManifest()
    .filter(({ id, hasAction }) => id.startsWith('routes/api.') && hasAction)
    .map(({ pattern }) => pattern);
  expect(served.toSorted()).toEqual(['/api/*', '/api/openapi-3.0.json', '/api/openapi.json']);
});

it('the API answers 404 in the envelope for unknown addresses, and 405 for unknown methods', async () => {
  const nobody = world.nobody();
  for (const address of ['/api/nothing', '/api/calculations/1/2/3', '/api'])
    expect((await nobody.get(address)).status, address).toBe(404);
  for (const [address, method] of [
    ['/api/calculations', 'PATCH'],
    ['/api/auth/login', 'DELETE'],
  ] as const) {
    const { status, headers } = await nobody.call(method, address);
    expect([status, headers.get('allow')], address).toEqual([405, expect.stringContaining('POST')]);
  }
});

const people = new Map<string, Promise<ApiClient>>();

/** A caller of a kind: always the same one, unless the call changes their account. */
function person(kind: 'free' | 'premium' | 'admin' | 'suspended', isNew = false): Promise<ApiClient> {
  const known = isNew ? undefined : people.get(kind);
  const found = known ?? world[kind]();
  if (!isNew) people.set(kind, found);
  return found;
}

async function callerFor(caller: Caller, isNew: boolean): Promise<ApiClient> {
  if (caller === 'nobody') return world.nobody();
  if (caller === 'other') return person('premium', true);
  if (caller === 'token') return world.tokenOf(await person('premium', isNew), 'read');
  return person(caller, isNew);
}

/** The owner of what the call is about: the caller if they may have one, otherwise another user. */
async function ownerFor(caller: Caller, call: DocumentedCall, client: ApiClient): Promise<ApiClient> {
  const access = call['x-access'];
  if (access === 'public') return client;
  const own: readonly Caller[] = access === 'premium' ? ['premium'] : ['free', 'premium', 'admin'];
  // The personal token belongs to the same account.
  return own.includes(caller) ? client : person('premium');
}

/** A creating call may also create nothing, but the samples create something. */
function successOf(call: DocumentedCall): number {
  return Math.max(
    ...Object.keys(call.responses)
      .map(Number)
      .filter((status) => status < 300),
  );
}

/** The status that the document promises to a caller. */
function expected(caller: Caller, call: DocumentedCall, request: Request): number {
  const { 'x-access': access, 'x-scope': scope, 'x-session-only': sessionOnly } = call;
  const success = successOf(call);
  if (access === 'public') return success;
  if (caller === 'nobody') return 401;
  if (caller === 'suspended') return 403;
  if (caller === 'token') return sessionOnly || scope === 'write' || access === 'admin' ? 403 : success;
  if (access === 'admin') return caller === 'admin' ? success : 403;
  if (access === 'premium' && (caller === 'free' || caller === 'admin')) return 402;
  return caller === 'other' && request.params !== undefined ? 404 : success;
}

async function send(call: DocumentedCall, client: ApiClient, request: Request): Promise<ApiAnswer> {
  const { params, ...options } = request;
  return client.call(call.method, addressOf(call, params), options);
}

/** Headers that any server sends, and those that the introduction describes. */
const GENERAL = new Set([
  'api-version',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'server-timing',
  'transfer-encoding',
  'vary',
  'x-request-id',
]);

/** The headers of a response that mean something to the call, in lower case. */
const ownHeaders = (headers: Headers): string[] =>
  [...headers.keys()].filter((name) => !GENERAL.has(name) && !SECURITY_HEADERS.test(name));

function callerItIsFor({ 'x-access': access }: DocumentedCall): Caller {
  if (access === 'public') return 'nobody';
  return access === 'admin' ? 'admin' : 'premium';
}

/** The callers that each call is sent by. The one it is for is last: those who are refused leave the request unused. */
const callersOf = new Map<DocumentedCall, Set<Caller>>();
for (const access of new Set(CALLS.map((call) => call['x-access']))) {
  const calls = CALLS.filter((call) => call['x-access'] === access);
  const inTurn = combinations(
    calls,
    CALLERS.filter((caller) => calls.every((call) => caller !== callerItIsFor(call))),
    // There are few public calls and few for administrators: everybody sends those.
    { always: calls.length < CALLERS.length ? CALLERS.length : 0 },
  );
  for (const call of calls) {
    const chosen = inTurn.filter(([of]) => of === call).map(([, caller]) => caller);
    if (call.path.includes('{')) chosen.push('other');
    chosen.push(...(Object.keys(SAMPLES[call.operationId]?.expect ?? {}) as Caller[]));
    callersOf.set(call, new Set([...chosen, callerItIsFor(call)]));
  }
}

it('every kind of caller sends calls of every access', () => {
  for (const access of new Set(CALLS.map((call) => call['x-access']))) {
    const calls = CALLS.filter((call) => call['x-access'] === access);
    const callers = calls.flatMap((call) => [...(callersOf.get(call) ?? [])]);
    expect([...new Set(callers)].toSorted(), access).toEqual(CALLERS.toSorted());
    if (isFullSize) expect(callers.length, access).toBe(calls.length * CALLERS.length);
  }
});

const typeOf = ({ headers }: ApiAnswer) => headers.get('content-type')?.split(';')[0];

describe.each(CALLS.map((call) => [call.operationId, call] as const))('%s', (operationId, call) => {
  /** A request that left everything as it was, for the next caller to send. */
  let unused: { owner: ApiClient; request: Request } | undefined;

  it.each([...(callersOf.get(call) ?? [])])('sent by %s', async (caller) => {
    const sample = SAMPLES[operationId];
    const client = await callerFor(caller, sample?.altersOwner ?? false);
    const owner = await ownerFor(caller, call, client);
    const request =
      unused?.owner === owner ? unused.request : ((await sample?.prepare?.(owner, world)) ?? {});
    const answer = await send(call, client, request);
    unused = call.method === 'GET' || answer.status >= 400 ? { owner, request } : undefined;
    const promised = sample?.expect?.[caller] ?? expected(caller, call, request);
    const what = `${call.method} ${call.path} by ${caller}`;
    expect(answer.status, `${what}: ${answer.text.slice(0, 300)}`).toBe(promised);
    expect(faultsOf(call, answer.status, answer.body)).toEqual([]);
    const types = Object.keys(responseOf(call, answer.status)?.['content'] ?? {});
    if (types.length > 0) expect(types, what).toContain(typeOf(answer));
    const named = Object.keys(responseOf(call, answer.status)?.['headers'] ?? {});
    const documented = named.map((name) => name.toLowerCase());
    expect(documented, what).toEqual(expect.arrayContaining(ownHeaders(answer.headers)));
    expectSound({ ...answer, headers: {}, body: answer.text, setCookies: [], location: null }, what);
    // Programs may cache responses with an ETag.
    const mayKeep = answer.headers.has('etag') && client.token !== null;
    expect(answer.headers.get('cache-control'), what).toBe(mayKeep ? 'private, no-cache' : 'no-store');
    expect(answer.headers.get('api-version'), what).toBe(API_VERSION);
    const isTagged = answer.status === 200 && '304' in call.responses;
    expect(answer.headers.has('etag'), what).toBe(isTagged);
    expect(answer.headers.get('ratelimit-policy'), what).toMatch(/^"api";q=\d+;w=60$/);
    expect(answer.body.success ?? answer.status < 400, what).toBe(answer.status < 400);
    if (answer.status !== 201) return;
    const location = answer.headers.get('location') ?? '';
    // A new account is read with its own token.
    const token = answer.body.data?.['token'];
    const reader =
      typeof token === 'string' && call['x-access'] === 'public' ? new ApiClient(client.base, token) : client;
    expect((await reader.get(location)).status, `${what} made ${location}`).toBe(200);
  });
});

it.each([
  ['csv', 'text/csv', { type: 'string' }],
  ['json', 'application/json', { type: 'object' }],
  ['pdf', 'application/pdf', { type: 'string', format: 'binary' }],
])('an export as %s is what the document says', async (format, type, schema) => {
  const client = await callerFor('premium', false);
  const answer = await client.get('/api/export', { format, types: 'calculations' });
  expect([answer.status, typeOf(answer)]).toEqual([200, type]);
  const call = CALLS.find(({ operationId }) => operationId === 'exportData') as DocumentedCall;
  const content = responseOf(call, 200)?.['content'] as Record<string, { schema: object }>;
  expect(content[type]?.schema).toEqual(schema);
  if (type === 'application/json') expect(JSON.parse(answer.text)).toBeTypeOf('object');
});
