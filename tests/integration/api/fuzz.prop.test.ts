import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { arbitraryOf, hostile, spoiled, type Schema } from '#tests/support/json-schema-arbitrary.ts';
import { expectSound } from '../routes/answers.ts';
import type { ApiAnswer, ApiClient } from './client.ts';
import { addressOf, CALLS, faultsOf, resolved, type DocumentedCall } from './document.ts';
import { SAMPLES } from './samples/index.ts';
import { useApi } from './world.ts';

/**
 * Whatever is sent to any call, by anybody: no failure of the server, an answer as the document promises it, and
 * nothing of somebody else's. `npm run fuzz-api` sends 20,000 requests.
 */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 300);

const world = useApi();

/** Stands in everything that belongs to the victim, and in no request. */
const MARK = 'victims-own-8c1f';

const victimsIds: string[] = [];
/** A body that succeeds, by call: nearly none comes about by chance. */
const goodBodies = new Map<string, object>();
const callers = new Map<Who, ApiClient>();
type Who = 'nobody' | 'free' | 'premium' | 'admin';

async function renew(who: Who): Promise<ApiClient> {
  const client = await world[who]();
  callers.set(who, client);
  return client;
}

/** Ids, and bodies that succeed, of one thing of each kind that somebody else has. */
async function collectIds(): Promise<void> {
  const victim = await world.premium();
  for (const { operationId, 'x-access': access } of CALLS) {
    if (access === 'admin' || SAMPLES[operationId]?.altersOwner) continue;
    const request = await SAMPLES[operationId]?.given?.(victim, world);
    if (request?.body !== undefined) goodBodies.set(operationId, request.body as object);
    if (access === 'public') continue;
    victimsIds.push(...Object.values(request?.params ?? {}));
  }
  const calculation = { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25, peptideName: MARK, notes: MARK };
  for (let count = 0; count < 3; count += 1) {
    const { body } = await victim.post('/api/calculations', calculation);
    victimsIds.push((body.data?.['calculation'] as { id: string }).id);
  }
}

beforeAll(async () => {
  await collectIds();
  for (const who of ['nobody', 'free', 'premium', 'admin'] as const) await renew(who);
});

/** A body that succeeds, as it is or with one field spoiled. */
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
  /** Chooses an id of the victim's, or is the id. */
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

it(
  `answers ${RUNS} requests of any kind`,
  async () => {
    await fc.assert(
      fc.asyncProperty(attempts, async (attempt) => {
        const { call, who, id } = attempt;
        const answer = await send(attempt);
        const what = `${call.method} ${call.path} by ${who}`;
        const { status, text } = answer;
        expectSound({ ...answer, headers: {}, body: text, setCookies: [], location: null }, what);
        // A name that means something in an address leads elsewhere: the router has the answer then.
        const isElsewhere = typeof id === 'string' && /^\.{1,2}$|[/\\]/.test(id);
        if (!isElsewhere) expect(faultsOf(call, status, answer.body), what).toEqual([]);
        if (who !== 'admin') expect(text, what).not.toContain(MARK);
        // Who signed out, or changed what they are, makes place for somebody new.
        if (SAMPLES[call.operationId]?.altersOwner && status < 300) await renew(who);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  Math.max(60_000, RUNS * 100),
);
