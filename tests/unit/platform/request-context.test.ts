import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseSettings } from '#app/domain/settings/settings.ts';
import type { Caller, Ctx } from '#app/platform/access/context.server.ts';
import type { AppLoadContext } from '#app/platform/http/load-context.ts';
import { requestContext, setCurrentApp } from '#app/platform/http/session.server.ts';

const user = { id: 'u1', timeZone: 'UTC' } as never;
let lookups = 0;

beforeEach(() => {
  lookups = 0;
  setCurrentApp({
    settings: parseSettings({}),
    sessionSecret: 'secret',
    contextFor: ({ actor }: Caller) => ({ actor, timeZone: 'UTC' }) as Ctx,
    withoutPayments: {} as Ctx['payments'],
    findBySession: () => {
      lookups += 1;
      return Promise.resolve({ actor: user });
    },
    findByApiToken: () => Promise.resolve(null),
    findByConnection: () => Promise.resolve(null),
    ping: () => Promise.resolve(0),
  });
});
afterEach(() => setCurrentApp(undefined));

const arrived = () => ({ clientAddress: '127.0.0.1', requestId: 'r', isThisMachine: true }) as AppLoadContext;
const request = (method: string) => new Request('http://localhost/dashboard', { method });

describe('the sender of a request', () => {
  it('is looked up once for all loaders of a page', async () => {
    const context = arrived();
    const all = await Promise.all([1, 2, 3].map(() => requestContext(request('GET'), context)));
    expect(lookups).toBe(1);
    expect(all.every(({ actor }) => actor === user)).toBe(true);
  });

  it('is looked up again for each request, for an action, and for the loaders after it', async () => {
    const context = arrived();
    await requestContext(request('POST'), context);
    await requestContext(request('GET'), context);
    expect(lookups).toBe(2);
    await requestContext(request('GET'), arrived());
    expect(lookups).toBe(3);
  });
});
