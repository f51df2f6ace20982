import { beforeAll, describe, expect, it } from 'vitest';
import { expectSound } from '../routes/answers.ts';
import type { Schema } from '#tests/support/json-schema-arbitrary.ts';
import { combinations, isFullSize, sized } from '#tests/support/size.ts';
import type { ApiAnswer, ApiClient } from './client.ts';
import { addressOf, CALLS, faultsOf, resolved, type DocumentedCall } from './document.ts';
import { SAMPLES } from './samples/index.ts';
import type { Request } from './samples/sample.ts';
import { useApi } from './world.ts';

/**
 * Sends invalid values in every field of every documented call: several kinds in turn, at full size each kind in each
 * field. Each must be rejected with the field's name, never cause a failure, and never reveal whether another account has
 * such a thing.
 */
const world = useApi();

let premium: ApiClient;
let admin: ApiClient;
beforeAll(async () => {
  premium = await world.premium();
  admin = await world.admin();
});

/** A user who may make the call. */
function allowed(call: DocumentedCall): ApiClient {
  if (call['x-access'] === 'public') return world.nobody();
  return call['x-access'] === 'admin' ? admin : premium;
}

const goodRequest = async (call: DocumentedCall): Promise<Request> =>
  (await SAMPLES[call.operationId]?.prepare?.(allowed(call), world)) ?? {};

const goodRequests = new Map<string, Promise<Request>>();

/** A good request that is only sent with faults, so that it can be used again. */
function spoiltRequest(call: DocumentedCall): Promise<Request> {
  const found = goodRequests.get(call.operationId) ?? goodRequest(call);
  goodRequests.set(call.operationId, found);
  return found;
}

function bodyOf(call: DocumentedCall): Record<string, Schema> {
  const content = call.requestBody?.['content'] as Record<string, { schema: Schema }> | undefined;
  return (resolved(content?.['application/json']?.schema ?? {}) as Schema).properties ?? {};
}

type Parameter = { name: string; in: string };

const queryOf = (call: DocumentedCall): string[] =>
  (resolved(call.parameters) as Parameter[])
    .filter(({ in: place }) => place === 'query')
    .map(({ name }) => name);

async function send(call: DocumentedCall, request: Request): Promise<ApiAnswer> {
  const { params, ...options } = request;
  const answer = await allowed(call).call(call.method, addressOf(call, params), options);
  const what = `${call.method} ${call.path}`;
  expectSound({ ...answer, headers: {}, body: answer.text, setCookies: [], location: null }, what);
  expect(faultsOf(call, answer.status, answer.body), what).toEqual([]);
  return answer;
}

/** The fields that an error names. */
const namedIn = ({ body }: ApiAnswer): string[] =>
  Object.keys(body.fields ?? {}).map((place) => place.split(/[.[]/)[0] ?? '');

function expectInvalid({ status, body }: ApiAnswer, what: string): void {
  expect([status, body.error], `${what}: ${JSON.stringify(body).slice(0, 300)}`).toEqual([
    400,
    'INVALID_INPUT',
  ]);
}

/** Expects an error that names the field. */
function expectRefused(answer: ApiAnswer, field: string, what: string): void {
  const { body } = answer;
  expectInvalid(answer, what);
  expect(namedIn(answer), what).toContain(field);
  // A sentence for people, not the validation library's message.
  for (const message of Object.values(body.fields ?? {}).flat())
    expect(message, what).not.toMatch(/^Invalid (input|option|type)|^Too (small|big)|\bexpected\b/);
}

/**
 * Sends several invalid fields in one request, then each that the answer doesn't name in a request of its own. At full
 * size each field in a request of its own. `check` looks at the answer for each field.
 */
async function sendInvalid<Value>(
  fields: Readonly<Record<string, Value>>,
  ask: (some: Record<string, Value>) => Promise<ApiAnswer>,
  check: (answer: ApiAnswer, field: string) => void,
): Promise<void> {
  const entries = Object.entries(fields);
  const together = isFullSize || entries.length < 2 ? undefined : await ask(fields);
  const named = together === undefined ? [] : namedIn(together);
  for (const [field, value] of entries) {
    const isNamed = together !== undefined && named.includes(field);
    check(isNamed ? together : await ask({ [field]: value }), field);
  }
}

/** Whether a schema accepts a list. */
const takesList = ({ type, anyOf = [], oneOf = [] }: Schema): boolean =>
  [type].flat().includes('array') || [...anyOf, ...oneOf].some(takesList);

const OPERATORS: readonly unknown[] = [{ $gt: '' }, { $ne: null }, { $where: 'sleep(1000)' }];
const LISTS: readonly unknown[] = [['x'], [{ $gt: '' }]];

const withBodies = CALLS.filter(
  (call) => Object.keys(bodyOf(call)).length > 0 && SAMPLES[call.operationId]?.prepare,
);

describe.each(withBodies.map((call) => [call.operationId, call] as const))('a body of %s', (_, call) => {
  const ask = async (fields: object) => {
    const { body, ...request } = await spoiltRequest(call);
    return send(call, { ...request, body: { ...(body as object), ...fields } });
  };

  it('rejects operators and lists instead of values, in any field', async () => {
    const fields = Object.entries(bodyOf(call));
    const first = withBodies.indexOf(call);
    // Two kinds for each field, others from field to field and from call to call.
    for (let round = 0; round < sized(2, OPERATORS.length + LISTS.length); round += 1) {
      const spoilt = fields.map(([field, schema], index) => {
        const spoils = takesList(schema) ? OPERATORS : [...OPERATORS, ...LISTS];
        return [field, spoils[(first + index + round) % spoils.length]] as const;
      });
      await sendInvalid(Object.fromEntries(spoilt), ask, (answer, field) =>
        expectRefused(answer, field, `${call.operationId} ${field} ${JSON.stringify(spoilt)}`),
      );
    }
  });

  it('rejects unknown fields', async () => {
    const names = ['userId', 'role', '_id', '$set', 'subscription', 'importId'];
    await sendInvalid(Object.fromEntries(names.map((name) => [name, 'x'])), ask, (answer, field) =>
      expectRefused(answer, field, `${call.operationId} ${field}`),
    );
  });
});

describe('a query of any call', () => {
  it('rejects operators, repeated and unknown names', async () => {
    for (const call of CALLS) {
      const { params, ...options } = await spoiltRequest(call);
      const ask = (queries: Record<string, string>) => {
        const address = `${addressOf(call, params)}?${Object.values(queries).join('&')}`;
        return allowed(call).call(call.method, address, { ...options, query: {} });
      };
      const operators = [...queryOf(call), 'userId'].map((name) => [name, `${name}[$ne]=1`] as const);
      await sendInvalid(Object.fromEntries(operators), ask, (answer, name) =>
        expectRefused(answer, name, `${call.operationId} ${name}[$ne]`),
      );
      const repeated = queryOf(call).map((name) => [name, `${name}=1&${name}=2`] as const);
      await sendInvalid(Object.fromEntries(repeated), ask, (answer, name) =>
        expectInvalid(answer, `${call.operationId} ${name} twice`),
      );
    }
  });

  it.each([
    ['page', ['-1', '0', '1e9']],
    ['limit', ['-1', '1000000000']],
  ])('is refused if its %s is out of range', async (name, values) => {
    const lists = CALLS.filter((call) => queryOf(call).includes(name));
    expect(lists.length).toBeGreaterThan(10);
    for (const [call, value] of combinations(lists, values, { always: 0 })) {
      const answer = await send(call, { query: { [name]: value } });
      expectRefused(answer, name, `${call.operationId} ${name}=${value}`);
    }
  });
});

describe('a period', () => {
  const PERIODS = [
    ['from', 'to'],
    ['start', 'end'],
    ['startDate', 'endDate'],
  ] as const;
  const calls = CALLS.flatMap((call) =>
    PERIODS.filter((names) => names.every((name) => queryOf(call).includes(name))).map(
      ([first, last]) => [call.operationId, first, last, call] as const,
    ),
  );

  it('is a parameter of several calls', () => expect(calls.length).toBeGreaterThan(3));

  it.each(calls)(
    'of %s that ends before it begins is refused, under the name that was sent',
    async (...of) => {
      const [id, first, last, call] = of;
      const answer = await send(call, { query: { [first]: '2026-03-10', [last]: '2026-03-09' } });
      expectRefused(answer, last, id);
    },
  );
});

it('an export with no types is rejected; without the parameter it has all types', async () => {
  const none = await premium.get('/api/export?types=');
  expect(none).toMatchObject({
    status: 400,
    body: { error: 'INVALID_INPUT', fields: { types: ['Select at least one data type.'] } },
  });
  expect((await premium.get('/api/export')).status).toBe(200);
});

it('an invalid choice is rejected with the list of valid ones', async () => {
  const { body } = await admin.get('/api/admin/users?subscription=gold');
  expect(body.fields).toEqual({ subscription: ['Must be one of all, free or premium'] });
});

it('an admin’s change without a reason is rejected, and changes nothing', async () => {
  const { body } = await premium.get('/api/auth/me');
  const path = `/api/admin/users/${(body.data?.['user'] as { id: string }).id}`;
  for (const reason of [undefined, '', '  ', null]) {
    for (const [what, change] of [
      ['status', { action: 'suspend' }],
      ['subscription', { subscription: 'free' }],
    ] as const) {
      const answer = await admin.patch(`${path}/${what}`, { ...change, reason });
      expect(answer, `${what} ${reason}`).toMatchObject({
        status: 400,
        body: { fields: { reason: [expect.stringMatching(/^Give a reason\./)] } },
      });
    }
  }
  expect((await premium.get('/api/auth/me')).body).toEqual(body);
});

describe('a rejected field', () => {
  it('is named as it was sent', async () => {
    for (const call of withBodies) {
      const { body, ...request } = await goodRequest(call);
      const known = Object.keys(bodyOf(call));
      const spoilt = Object.entries(bodyOf(call)).map(
        ([field, { type }]) => [field, type === 'string' ? 'x'.repeat(5001) : -1] as const,
      );
      const ask = (fields: object) => send(call, { ...request, body: { ...(body as object), ...fields } });
      await sendInvalid<unknown>(Object.fromEntries(spoilt), ask, (answer, field) => {
        if (answer.body.error !== 'INVALID_INPUT') return;
        const places = namedIn(answer);
        const what = `${call.operationId} ${field}: ${answer.text.slice(0, 200)}`;
        expect(places.length, what).toBeGreaterThan(0);
        expect(
          places.filter((place) => !known.includes(place)),
          what,
        ).toEqual([]);
      });
    }
  });
});

describe('an invalid text', () => {
  it.each(['a\u0000b', '\u0000'])('is refused in every query: %j', async (value) => {
    const calls = CALLS.filter(({ path, method }) => method === 'GET' && !path.includes('{'));
    expect(calls.length).toBeGreaterThan(10);
    for (const call of calls)
      await sendInvalid(
        Object.fromEntries(queryOf(call).map((name) => [name, value])),
        (query) => send(call, { query }),
        (answer, name) => expectRefused(answer, name, `${call.operationId} ${name}`),
      );
  });

  it.each(['a\u0000b', 'half of a pair \ud800', '\udfff'])('is refused in a body: %j', async (value) => {
    const answer = await premium.post('/api/suppliers', { name: 'Sound', notes: value });
    expect([answer.status, answer.body.error]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.body.fields).toHaveProperty('notes');
    const named = await premium.post('/api/suppliers', { name: 'Sound', [`x${value}`]: 1 });
    expect([named.status, named.body.error]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('a text that is longer than any field', () => {
  it.each([
    ['notes', { name: '', notes: 'x'.repeat(20_001) }],
    ['lines.name', { supplierId: '', lines: [{ name: 'x'.repeat(20_001) }] }],
  ])('is refused before anything else is looked at: %s', async (field, body) => {
    const answer = await premium.post(field === 'notes' ? '/api/suppliers' : '/api/orders', body);
    expect([answer.status, answer.body.error]).toEqual([400, 'INVALID_INPUT']);
    expect(Object.keys(answer.body.fields ?? {})).toEqual([field]);
  });
});

describe('an id in an address', () => {
  it('that is an operator, a path or nonsense is not found', async () => {
    const calls = CALLS.filter(({ path }) => path.includes('{'));
    const ids = ['{"$gt":""}', '$where', '__proto__', 'x'.repeat(3000), 'é\u0000', "' or 1=1 --"];
    for (const [call, bad] of combinations(calls, ids)) {
      const { params, ...request } = await spoiltRequest(call);
      const spoiled = Object.fromEntries(Object.keys(params ?? {}).map((name) => [name, bad]));
      const answer = await send(call, { ...request, params: spoiled });
      expect(answer.status, `${call.operationId} ${bad.slice(0, 20)}`).toBe(
        bad.includes('\u0000') ? 400 : 404,
      );
    }
  });
});

describe('an id in a body', () => {
  const MARK = 'hers-alone-51f2';
  /** Fields that refer to something else, by its kind. */
  const KINDS: Record<string, [path: string, body: object, name: string]> = {
    compoundId: ['/api/compounds', { name: MARK, concentration: 2.5, totalAmount: 5 }, 'compound'],
    doseId: ['/api/schedules/doses', { name: MARK, actualDose: 1, notes: MARK }, 'dose'],
    supplierId: ['/api/suppliers', { name: MARK }, 'supplier'],
  };

  it('that belongs to another account is answered like an unknown one', async () => {
    const victim = await world.premium();
    const theirs: Record<string, string> = {};
    for (const [field, [path, body, name]] of Object.entries(KINDS)) {
      const made = await victim.post(path, body);
      theirs[field] = (made.body.data?.[name] as { id: string }).id;
    }
    const named = new Set<string>();
    for (const call of withBodies) {
      for (const field of Object.keys(bodyOf(call)).filter((one) => /Ids?$/.test(one))) {
        named.add(field);
        const foreign = theirs[field] ?? '';
        const nobodys = `${foreign.slice(0, -8)}00000000`;
        const answers = [];
        for (const id of [foreign, nobodys]) {
          const { body, ...request } = await goodRequest(call);
          answers.push(await send(call, { ...request, body: { ...(body as object), [field]: id } }));
        }
        const [first, second] = answers.map(({ status, body }) => [status, body.error, body.message]);
        expect(first, `${call.operationId} ${field}`).toEqual(second);
        expect(answers[0]?.text, `${call.operationId} ${field}`).not.toContain(MARK);
      }
    }
    expect([...named].toSorted()).toEqual(Object.keys(KINDS).toSorted());
  });
});
