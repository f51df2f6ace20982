import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { arbitraryOf, hostile, spoiled, type Schema } from '#tests/support/json-schema-arbitrary.ts';
import { isFullSize, sized } from '#tests/support/size.ts';
import { expectSound } from '../routes/answers.ts';
import type { ApiAnswer, ApiClient } from './client.ts';
import { addressOf, CALLS, faultsOf, resolved, type DocumentedCall } from './document.ts';
import { SAMPLES } from './samples/index.ts';
import { useApi } from './world.ts';

/**
 * Whatever anyone sends to any call: the server does not fail, responses match the document, no data of others is returned,
 * and another user is served meanwhile. At full size it sends 20,000 requests.
 */
const RUNS = sized(300, 20_000);
/** At full size: how much slower another user's calls may be (95th percentile) than on an idle server. */
const MOST_TIMES_SLOWER = 5;

const world = useApi();
const OPERATIONS = CALLS.map(({ operationId }) => operationId).toSorted();

/** A mark in everything that belongs to the victim, and in no request. */
const MARK = 'victims-own-8c1f';

const victimsIds: string[] = [];
/** Calls that created something with the mark. */
const kindsMarked = new Set<string>();
/** A valid body for each call, because random ones almost never are. */
const goodBodies = new Map<string, object>();
const callers = new Map<Who, ApiClient>();
type Who = 'nobody' | 'free' | 'premium' | 'admin';

async function renew(who: Who): Promise<ApiClient> {
  const client = await world[who]();
  callers.set(who, client);
  return client;
}

/** Free texts in a body, which may be returned. */
const WORDS = ['name', 'notes', 'peptideName', 'lot', 'contact', 'storageTemp', 'route'];

/** The body with the mark in all its free texts. */
const marked = (body: object): object =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, WORDS.includes(field) ? MARK : (value as unknown)]),
  );

/** Creates marked data of every kind for the victim, by sending each call its valid body. */
async function leaveMarks(victim: ApiClient): Promise<void> {
  const makers = CALLS.filter(
    ({ method, operationId }) => method === 'POST' && SAMPLES[operationId]?.prepare,
  );
  for (const call of makers) {
    if (call['x-access'] === 'public' || call['x-access'] === 'admin' || call['x-scope'] !== 'write')
      continue;
    if (SAMPLES[call.operationId]?.altersOwner) continue;
    const { params, body, ...request } = (await SAMPLES[call.operationId]?.prepare?.(victim, world)) ?? {};
    if (body === undefined) continue;
    const noted = 'notes' in resolvedBody(call) ? { notes: MARK } : {};
    const sent = { ...marked(body as object), ...noted };
    const answer = await victim.call('POST', addressOf(call, params), { ...request, body: sent });
    if (!answer.text.includes(MARK)) continue;
    kindsMarked.add(call.operationId);
    for (const found of answer.text.matchAll(/"id":"([\w-]+)"/g)) victimsIds.push(String(found[1]));
  }
}

/** The documented fields of a call's body. */
function resolvedBody(call: DocumentedCall): Record<string, Schema> {
  const content = call.requestBody?.['content'] as Record<string, { schema: Schema }> | undefined;
  const schema = content?.['application/json']?.schema;
  return (resolved(schema ?? {}) as Schema).properties ?? {};
}

/** Ids and valid bodies of another user's things, one of each kind. */
async function collectIds(): Promise<void> {
  const victim = await world.premium();
  for (const { operationId, 'x-access': access } of CALLS) {
    if (access === 'admin' || SAMPLES[operationId]?.altersOwner) continue;
    const request = await SAMPLES[operationId]?.prepare?.(victim, world);
    if (request?.body !== undefined) goodBodies.set(operationId, request.body as object);
    if (access === 'public') continue;
    victimsIds.push(...Object.values(request?.params ?? {}));
  }
  await leaveMarks(victim);
}

beforeAll(async () => {
  await collectIds();
  for (const who of ['nobody', 'free', 'premium', 'admin'] as const) await renew(who);
});

/** A valid body, unchanged or with one field broken. */
class NearlyGood {
  readonly field: number;
  readonly spoil: unknown;

  constructor(field: number, spoil: unknown) {
    this.field = field;
    this.spoil = spoil;
  }

  of(operationId: string): unknown {
    const good = goodBodies.get(operationId) ?? {};
    const names = Object.keys(good);
    const name = names[this.field % names.length];
    return name === undefined || this.spoil === undefined ? good : { ...good, [name]: this.spoil };
  }
}

const nearlyGood = fc
  .tuple(fc.nat(20), fc.option(hostile, { nil: undefined }))
  .map(([field, spoil]) => new NearlyGood(field, spoil));

interface Attempt {
  call: DocumentedCall;
  who: Who;
  /** An id, or a choice among the victim's ids. */
  id: number | string;
  query: Record<string, unknown>;
  body: unknown;
}

type Parameter = { name: string; in: string; schema: Schema };

function queryArbitrary(call: DocumentedCall): fc.Arbitrary<Record<string, unknown>> {
  const parameters = (resolved(call.parameters) as Parameter[]).filter(({ in: place }) => place === 'query');
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const schema = { type: 'object', properties, required: [] };
  return fc.oneof(fc.constant({}), arbitraryOf(schema), spoiled(schema)) as fc.Arbitrary<
    Record<string, unknown>
  >;
}

function bodyArbitrary(call: DocumentedCall): fc.Arbitrary<unknown> {
  const content = call.requestBody?.['content'] as Record<string, { schema: Schema }> | undefined;
  const found = content?.['application/json']?.schema;
  if (call.method === 'GET') return fc.constant(undefined);
  const broken = fc.oneof(hostile, fc.string(), fc.constant('{"a":'), fc.constant(undefined));
  if (found === undefined) return fc.oneof(fc.constant(undefined), fc.constant({}), broken);
  const schema = resolved(found) as Schema;
  return fc.oneof(
    { weight: 2, arbitrary: nearlyGood },
    { weight: 2, arbitrary: arbitraryOf(schema) },
    { weight: 4, arbitrary: spoiled(schema) },
    { weight: 1, arbitrary: broken },
  );
}

const attempts: fc.Arbitrary<Attempt> = fc.constantFrom(...CALLS).chain((call) =>
  fc.record({
    call: fc.constant(call),
    who: fc.constantFrom<Who>('nobody', 'free', 'premium', 'premium', 'admin'),
    id: fc.oneof(fc.nat(), fc.string({ minLength: 1, maxLength: 40 })),
    query: queryArbitrary(call),
    body: bodyArbitrary(call),
  }),
);

/** How many requests each call got, and how many succeeded. */
const sent = new Map<string, number>();
const succeeded = new Map<string, number>();
const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, each) => total + each, 0);

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

async function send({ call, who, id, query, body: chosenBody }: Attempt): Promise<ApiAnswer> {
  const client = callers.get(who) ?? (await renew(who));
  const body = chosenBody instanceof NearlyGood ? chosenBody.of(call.operationId) : chosenBody;
  const chosen = typeof id === 'number' ? (victimsIds[id % victimsIds.length] ?? 'none') : id;
  const params = new Proxy<Record<string, string>>({}, { get: () => Buffer.from(chosen).toString() });
  const address = addressOf(call, params);
  const written = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, asText(value)]));
  return client.call(call.method, address, { query: written, body });
}

/** Calls by another user, one after the other during the run. @returns ms of each */
async function callOn(person: ApiClient, goesOn: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (goesOn()) {
    const begin = performance.now();
    const { status, text } = await person.get('/api/compounds');
    times.push(performance.now() - begin);
    expect(status, text).toBe(200);
  }
  return times;
}

const p95 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * 0.95)] ?? 0;

it('the fuzzed account has data of every kind', () => {
  expect([...kindsMarked].toSorted()).toEqual([
    'addCompound',
    'addLot',
    'addMeasurement',
    'addOrder',
    'addProduct',
    'addSideEffect',
    'addSideEffectTemplate',
    'addSupplier',
    'addSupply',
    'createSchedule',
    'logDose',
    'logInjectionSite',
    'saveCalculation',
    'saveNutrition',
    'swapSchedule',
    'takeAsNeeded',
  ]);
});

it(
  `answers ${RUNS} requests of any kind`,
  async () => {
    const other = await world.premium();
    let quietCalls = 200;
    const quiet = isFullSize ? await callOn(other, () => (quietCalls -= 1) > 0) : [];
    let isOver = false;
    const meanwhile = callOn(other, () => !isOver);
    await fc
      .assert(
        fc.asyncProperty(attempts, async (attempt) => {
          const { call, who, id } = attempt;
          const answer = await send(attempt);
          const what = `${call.method} ${call.path} by ${who}`;
          const { status, text } = answer;
          count(sent, call.operationId);
          if (status < 300) count(succeeded, call.operationId);
          // Requests rejected before the call say nothing about it.
          expect(status, what).not.toBe(429);
          expectSound({ ...answer, headers: {}, body: text, setCookies: [], location: null }, what);
          // A value with a special meaning in addresses leads to another route.
          const isElsewhere = typeof id === 'string' && /^\.{1,2}$|[/\\]/.test(id);
          if (!isElsewhere) expect(faultsOf(call, status, answer.body), what).toEqual([]);
          if (who !== 'admin') expect(text, what).not.toContain(MARK);
          // A caller who signed out or changed their account is replaced.
          if (SAMPLES[call.operationId]?.altersOwner && status < 300) await renew(who);
        }),
        { numRuns: RUNS, endOnFailure: true },
      )
      .finally(() => (isOver = true));
    const times = await meanwhile;
    // None of these requests may delay the other user for long.
    expect(times.length).toBeGreaterThan(RUNS / 4);
    if (isFullSize) expect(p95(times)).toBeLessThanOrEqual(MOST_TIMES_SLOWER * p95(quiet));
    expect(sum(sent)).toBe(RUNS);
    // With this many requests, chance alone reaches every call.
    if (RUNS >= CALLS.length * 20) expect([...sent.keys()].toSorted()).toEqual(OPERATIONS);
    if (RUNS >= CALLS.length * 20) expect(succeeded.size).toBeGreaterThan(CALLS.length / 2);
  },
  Math.max(600_000, RUNS * 100),
);
