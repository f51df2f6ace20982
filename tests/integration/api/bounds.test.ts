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
}

interface Body {
  required?: boolean;
  content?: { 'application/json'?: { schema: { properties?: Record<string, Field> } } };
}

const bodyOf = (call: DocumentedCall): Body => (resolved(call.requestBody) ?? {}) as Body;

/** Values just outside the bounds of a field. */
function beyond({ minimum, exclusiveMinimum, maximum, maxLength }: Field): unknown[] {
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ];
}

/** The calls with a body of JSON; an uploaded file is none, though it may be JSON, too. */
const withBody = CALLS.filter(
  (call) => Object.keys(bodyOf(call).content ?? {}).join() === 'application/json',
);

const ownerOf = ({ 'x-access': access }: DocumentedCall) => {
  if (access === 'public') return world.nobody();
  return access === 'admin' ? world.admin() : world.premium();
};

describe.each(withBody.map((call) => [call.operationId, call] as const))('%s', (operationId, call) => {
  const { required = false, content } = bodyOf(call);
  const fields = Object.entries(content?.['application/json']?.schema.properties ?? {});
  const bounded = fields.filter(([, field]) => beyond(field).length > 0);

  it('refuses what is outside the documented bounds, and an empty body where one is required', async () => {
    const owner = await ownerOf(call);
    const { params, ...request } = (await SAMPLES[operationId]?.prepare?.(owner, world)) ?? {};
    const send = (body: unknown) => owner.call(call.method, addressOf(call, params), { ...request, body });
    const accepted: unknown[] = [];
    for (const [name, field] of bounded)
      for (const value of beyond(field)) {
        const { status, text } = await send({ ...(request.body as object | undefined), [name]: value });
        if (status !== 400) accepted.push([name, value, status, text.slice(0, 200)]);
      }
    expect(accepted).toEqual([]);
    const { status, text } = await send({});
    expect(status === 400, `${operationId} without fields: ${status} ${text.slice(0, 200)}`).toBe(required);
  });
});

it('covers many fields', () => {
  const all = withBody.flatMap((call) =>
    Object.values(bodyOf(call).content?.['application/json']?.schema.properties ?? {}),
  );
  expect(all.flatMap(beyond).length).toBeGreaterThan(200);
});
