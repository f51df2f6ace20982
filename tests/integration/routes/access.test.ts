import { describe, expect, it } from 'vitest';
import type { AccessRow, Expected } from './access-rows.ts';
import { ACCESS } from './access-table.ts';
import { expectSecurityHeaders, expectSound } from './answers.ts';
import { htmlFaults, visibleText } from '#tests/support/html.ts';
import { readManifest } from './route-manifest.ts';
import type { Answer, WebClient } from './web-client.ts';
import { useWeb } from './web.ts';

const web = useWeb();
// API calls have their own table: tests/integration/api.
const manifest = readManifest().filter(({ id, hasAction }) => !(hasAction && id.startsWith('routes/api.')));

const CALLERS = {
  visitor: () => Promise.resolve(web.visitor()),
  free: () => web.registered(),
  premium: () => web.registered({ trial: true }),
} satisfies Record<string, () => Promise<WebClient>>;
type Caller = keyof typeof CALLERS;
const callers = Object.keys(CALLERS) as Caller[];

const known = new Map<Caller, Promise<WebClient>>();

/** One shared person of each kind, who opens pages and whose forms are refused. */
function someone(caller: Caller): Promise<WebClient> {
  const client = known.get(caller) ?? CALLERS[caller]();
  known.set(caller, client);
  return client;
}

function expectAnswer(answer: Answer, expected: Expected, what: string): void {
  const got: Expected = answer.location === null ? answer.status : [answer.status, answer.location];
  expect(got, `${what}: ${answer.body.slice(0, 200)}`).toEqual(expected);
  expectSound(answer, what);
  if (answer.headers['content-type']?.startsWith('text/html'))
    expect(htmlFaults(answer.body), what).toEqual([]);
  expectSecurityHeaders(answer, what);
}

/** What is the same for everybody, or ends the session. */
const NOBODYS = /^\/(healthz|readyz|metrics|logout|robots\.txt|sitemap\.xml|\.well-known)/;

/** Nothing that a signed-in user sees may be cached. */
function expectUncached({ status, headers }: Answer, path: string): void {
  if (status === 302 || NOBODYS.test(path)) return;
  expect(headers['cache-control'], path).toBe('no-store');
}

const PRIVATE = /"email"|"history"|"premium"/;

/** The address by which scripts ask for the data of a page. */
function dataAddress(at: string): string {
  const [path = '', query] = at.split('?');
  return `${path === '/' ? '/_root' : path}.data${query ? `?${query}` : ''}`;
}

it('covers every route of the application, and no others', () => {
  const routes = manifest.filter(({ isLayout }) => !isLayout);
  expect(Object.keys(ACCESS).toSorted()).toEqual(routes.map(({ id }) => id).toSorted());
});

it('says what a form sent there does, for every route that takes forms', () => {
  const silent = manifest.filter(
    ({ id, isLayout, hasAction }) => hasAction && !isLayout && !ACCESS[id]?.some(({ sent }) => sent),
  );
  expect(silent).toEqual([]);
});

describe.each(callers)('a %s caller', (caller) => {
  it.each(Object.keys(ACCESS))(
    'opening %s as a page and as its data, which no browser caches for a signed-in user',
    async (id) => {
      const client = await someone(caller);
      for (const { at, [caller]: expected } of ACCESS[id] ?? []) {
        const page = await client.get(at);
        expectAnswer(page, expected, at);
        const data = await client.get(dataAddress(at));
        expectSecurityHeaders(data, dataAddress(at));
        if (caller !== 'visitor') {
          expectUncached(page, at);
          expectUncached(data, dataAddress(at));
        } else if (typeof expected !== 'number') {
          // Scripts are told where to sign in, and nothing else.
          expect(data.status, at).toBe(202);
          expect(data.body, at).toContain(`"${expected[1]}"`);
          expect(data.body, at).not.toMatch(PRIVATE);
        }
      }
    },
  );

  it.each(Object.keys(ACCESS).filter((id) => ACCESS[id]?.some(({ sent }) => sent)))(
    'sending a form to %s',
    async (id) => {
      for (const { at, sent } of ACCESS[id] ?? []) {
        if (!sent) continue;
        const answer = await (await someone(caller)).post(at, {});
        // An accepted form may have changed the account or ended its session.
        if (answer.status < 400) known.delete(caller);
        expectAnswer(answer, sent[caller], at);
      }
    },
  );
});

const ADMIN_CALLERS = { admin: 'admin', superAdmin: 'super_admin' } as const;
const forAdmins = Object.entries(ACCESS).filter(([, rows]) => rows.some((row) => row.admin !== undefined));

describe.each(['admin', 'superAdmin'] as const)('a caller who is %s', (caller) => {
  it('gets the expected answer everywhere in the admin area', async () => {
    const client = await web.admin(ADMIN_CALLERS[caller]);
    for (const [, rows] of forAdmins) {
      for (const row of rows) {
        const { at, sent, [caller]: opened = 200 } = row;
        expectAnswer(await client.get(at), opened, at);
        if (sent?.[caller] !== undefined)
          expectAnswer(await client.post(at, {}), sent[caller], `${at}, sent`);
      }
    }
  });
});

const rows: AccessRow[] = Object.values(ACCESS).flat();

it('requires a session when scripts send a form', async () => {
  const visitor = web.visitor();
  const closed = rows.filter(({ visitor: expected }) => typeof expected !== 'number');
  expect(closed.length).toBeGreaterThan(50);
  for (const { at, sent } of closed) {
    const posted = await visitor.post(dataAddress(at));
    expect([202, 405, sent?.visitor], at).toContain(posted.status);
    expect(posted.body, at).not.toMatch(PRIVATE);
  }
});

describe.each(['tracking', 'schedule', 'analytics', 'vendors'])('the premium area %s', (area) => {
  it('tells a free user, with a way to upgrade', async () => {
    const answer = await (await someone('free')).get(`/dashboard/${area}`);
    expect(answer.status).toBe(403);
    const main = answer.body.slice(answer.body.indexOf('<main'));
    expect(visibleText(main)).toContain('Premium users only');
    expect(main).toContain('href="/upgrade"');
  });
});
