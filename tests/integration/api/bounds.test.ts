import { describe, expect, it } from 'vitest';
import { addressOf, CALLS, resolved, type DocumentedCall } from './document.ts';
import { SAMPLES } from './samples/index.ts';
import { useApi } from './world.ts';

/** The bounds of fields in the document are those that the server enforces, and so is whether a call needs a body. */
const world = useApi();

interface Field {
  type?: string | string[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  enum?: unknown[];
  format?: string;
  const?: unknown;
  properties?: Record<string, Field>;
  items?: Field;
  anyOf?: Field[];
}

interface Body {
  required?: boolean;
  content?: { 'application/json'?: { schema: Field; example?: object } };
}

const bodyOf = (call: DocumentedCall): Body => (resolved(call.requestBody) ?? {}) as Body;

/** Values just outside the bounds of a field. */
function beyond({ minimum, exclusiveMinimum, maximum, maxLength, pattern }: Field): unknown[] {
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(pattern === undefined ? [] : ['?']),
  ];
}

/** The calls with a body of JSON; an uploaded file is none, though it may be JSON, too. */
const withBody = CALLS.filter(
  (call) => Object.keys(bodyOf(call).content ?? {}).join() === 'application/json',
);

/** A field of a body, `[0]` for each entry of a list. */
type Place = readonly (string | 0)[];

/** Every field of a schema, with those inside. */
function fieldsOf(schema: Field, place: Place = []): { place: Place; field: Field }[] {
  return [
    ...(place.length > 0 && schema.properties === undefined ? [{ place, field: schema }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => fieldsOf(field, [...place, name])),
    ...(schema.items === undefined ? [] : fieldsOf(schema.items, [...place, 0])),
    ...(schema.anyOf ?? []).flatMap((choice) => fieldsOf(choice, place)),
  ];
}

const schemaOf = (call: DocumentedCall): Field => bodyOf(call).content?.['application/json']?.schema ?? {};

/** The same body with another value at a place; null if it has nothing around that place. */
function withValue(body: unknown, [first, ...rest]: Place, value: unknown): unknown {
  if (first === undefined) return value;
  if (first === 0) {
    if (!Array.isArray(body) || body.length === 0) return null;
    const [one, ...others] = body as unknown[];
    const inside = withValue(one, rest, value);
    return rest.length > 0 && inside === null ? null : [inside, ...others];
  }
  const around = (body ?? {}) as Record<string, unknown>;
  if (rest.length > 0 && (around[first] === undefined || around[first] === null)) return null;
  const inside = withValue(around[first], rest, value);
  return rest.length > 0 && inside === null ? null : { ...around, [first]: inside };
}

/** What a body has at a place. */
const valueAt = (body: unknown, place: Place): unknown =>
  place.reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], body);

const PLAN = { name: 'BPC-157', doseUnit: 'mcg', timeZone: 'UTC', startDate: '2026-11-02' };
const RAMP = { start: 250, step: 50, everyWeeks: 1, target: 500 };
const BLEND = [
  { name: 'BPC-157', amount: 5 },
  { name: 'TB-500', amount: 10 },
];
const LINE = { name: 'BPC-157', mgPerVial: 5, price: 29.9, currency: 'USD', quantity: 1 };
const WHOLE_PLAN = {
  ...PLAN,
  ...{ ramp: RAMP, course: { weeksOn: 5, weeksOff: 2 }, components: BLEND, times: ['08:00'] },
  frequency: { kind: 'daily' },
};
const OFTEN = [
  { kind: 'interval', every: 2 },
  { kind: 'cycle', on: 5, off: 2 },
  { kind: 'monthly', day: 1 },
  { kind: 'after-last', everyHours: 12 },
  { kind: 'as-needed', minGapHours: 6, maxPerDay: 2 },
];

/** Further bodies, with what the samples leave out. */
const plans = [
  WHOLE_PLAN,
  ...OFTEN.map((frequency) => ({ ...PLAN, doseAmount: 250, times: ['08:00'], frequency })),
];
const filled = { peptideAmount: undefined, waterVolume: undefined, concentration: 2, containerVolume: 3 };
const containers = [
  { components: BLEND, peptideAmount: undefined, waterVolume: 2, desiredDose: 0.25 },
  { ...filled, form: 'pen', clickMl: 0.01 },
  { ...filled, form: 'spray', sprayMl: 0.1 },
];
const MORE_BODIES: Readonly<Record<string, readonly object[]>> = {
  createSchedule: plans,
  previewSchedule: plans,
  updateSchedule: plans,
  addOrder: [{ lines: [{ ...LINE, components: BLEND }] }],
  receiveOrder: [{ lines: [{ lot: 'L-1', components: BLEND }] }],
  addCompound: [{ components: BLEND }],
  changeCompound: [{ components: BLEND }],
  saveCalculation: containers,
  calculate: containers,
  changeProfile: [{ syringes: [{ name: 'Mine', barrelMl: 1, unitsPerMl: 100, mark: 1 }] }],
};

const ownerOf = ({ 'x-access': access }: DocumentedCall) => {
  if (access === 'public') return world.nobody();
  return access === 'admin' ? world.admin() : world.premium();
};

/** Places that no body here reaches. */
const unreached: string[] = [];

describe.each(withBody.map((call) => [call.operationId, call] as const))('%s', (operationId, call) => {
  const { required = false } = bodyOf(call);
  const bounded = fieldsOf(schemaOf(call)).filter(({ field }) => beyond(field).length > 0);

  it('refuses what is outside the documented bounds, and an empty body where one is required', async () => {
    const owner = await ownerOf(call);
    const { params, ...request } = (await SAMPLES[operationId]?.prepare?.(owner, world)) ?? {};
    const send = (body: unknown) => owner.call(call.method, addressOf(call, params), { ...request, body });
    const sample = (request.body ?? {}) as object;
    const bodies = [sample, ...(MORE_BODIES[operationId] ?? []).map((more) => ({ ...sample, ...more }))];
    const accepted: unknown[] = [];
    for (const { place, field } of bounded)
      for (const value of beyond(field)) {
        // Rather one that has a value there: other fields decide which ones count.
        const fitting = bodies.toSorted(
          (a, b) => Number(valueAt(b, place) != null) - Number(valueAt(a, place) != null),
        );
        const made = fitting.map((body) => withValue(body, place, value)).find((body) => body !== null);
        if (made === undefined) {
          unreached.push(`${operationId} ${place.join('.')}`);
          continue;
        }
        const { status, text } = await send(made);
        if (status !== 400) accepted.push([place.join('.'), value, status, text.slice(0, 200)]);
      }
    expect(accepted).toEqual([]);
    const { status, text } = await send({});
    expect(status === 400, `${operationId} without fields: ${status} ${text.slice(0, 200)}`).toBe(required);
  });

  it('takes texts of the documented length', async () => {
    const owner = await ownerOf(call);
    const { params, ...request } = (await SAMPLES[operationId]?.prepare?.(owner, world)) ?? {};
    const refused: unknown[] = [];
    for (const { place, field } of bounded.filter(({ field: { maxLength } }) => maxLength !== undefined)) {
      const text = 'x'.repeat(field.maxLength ?? 0);
      const body = withValue(request.body ?? {}, place, text);
      const name = String(place[0]);
      if (body === null || NOT_ANY_TEXT.has(String(place.at(-1)))) continue;
      const answer = await owner.call(call.method, addressOf(call, params), { ...request, body });
      if (Object.hasOwn(answer.body.fields ?? {}, name)) refused.push([place.join('.'), answer.text]);
    }
    expect(refused).toEqual([]);
  });
});

/** Texts of which only some are valid, whatever their length. */
const NOT_ANY_TEXT = new Set([
  ...[
    'code',
    'currency',
    'timeZone',
    'site',
    'url',
    'reportUrl',
    'token',
    'email',
    'topic',
    'unit',
    'metric',
  ],
  ...['takenAt', 'measuredAt', 'startedAt', 'resolvedDate', 'dueDate', 'firstDueAt'],
  // Another record, or the same text as elsewhere.
  ...['compoundId', 'supplierId', 'doseId', 'orderId', 'ids', 'doseOf', 'confirmPassword', 'currentPassword'],
]);

it('covers many fields, and all of them but a few', () => {
  const all = withBody.flatMap((call) => fieldsOf(schemaOf(call)));
  expect(all.flatMap(({ field }) => beyond(field)).length).toBeGreaterThan(300);
  expect([...new Set(unreached)].toSorted()).toEqual([]);
});

const isOf = ({ type }: Field, ...names: string[]) =>
  [type].flat().some((name) => names.includes(name ?? ''));

/** Numbers without both bounds, and why: what is allowed depends on other fields. */
const UNBOUNDED: Readonly<Record<string, string>> = {
  desiredDose: 'at most what the containers hold, in any unit',
  drawVolume: 'at most what is mixed',
  mark: 'one of those that the syringe has',
};

it('every text and every number that is sent has its bounds in the document', () => {
  const parameters = CALLS.flatMap((call) =>
    (resolved(call.parameters) as { in: string; name: string; schema: Field }[])
      .filter(({ in: where }) => where !== 'header')
      .flatMap(({ name, schema }) => fieldsOf(schema, [`?${name}`]).map((found) => ({ call, ...found }))),
  );
  const inBodies = withBody.flatMap((call) => fieldsOf(schemaOf(call)).map((found) => ({ call, ...found })));
  const faults = [...inBodies, ...parameters].filter(({ place, field }) => {
    const { minimum, exclusiveMinimum, maximum } = field;
    const isLimited = ['maxLength', 'pattern', 'enum', 'format', 'const'].some((word) => word in field);
    if (isOf(field, 'string') && !isLimited) return true;
    if (!isOf(field, 'number', 'integer') || 'enum' in field) return false;
    const isBetween = (minimum ?? exclusiveMinimum) !== undefined && maximum !== undefined;
    return !isBetween && !Object.hasOwn(UNBOUNDED, String(place.at(-1)));
  });
  expect(faults.map(({ call, place }) => `${call.operationId} ${place.join('.')}`)).toEqual([]);
});
