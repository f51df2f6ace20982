import { describe, expect, it } from 'vitest';
import type { AccessRow, Expected } from './access-rows.ts';
import { ACCESS } from './access-table.ts';
import { expectSecurityHeaders, expectSound } from './answers.ts';
import { visibleText } from './html.ts';
import { readManifest } from './route-manifest.ts';
import type { Answer, WebClient } from './web-client.ts';
import { useWeb } from './web.ts';

const web = useWeb();
// API calls have their own table: tests/integration/api.
const manifest = (await readManifest()).filter(
  ({ id, hasAction }) => !(hasAction && id.startsWith('routes/api.')),
);

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
  expectSecurityHeaders(answer, what);
}

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
  it.each(Object.keys(ACCESS))('opening %s', async (id) => {
    const client = await someone(caller);
    for (const row of ACCESS[id] ?? []) expectAnswer(await client.get(row.at), row[caller], row.at);
  });

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

it('requires a session when scripts request only the data', async () => {
  const visitor = web.visitor();
  for (const { at, visitor: expected, sent } of rows) {
    if (typeof expected === 'number') continue;
    const answer = await visitor.get(dataAddress(at));
    expect(answer.status, at).toBe(202);
    expect(answer.body, at).toContain(`"${expected[1]}"`);
    const posted = await visitor.post(dataAddress(at));
    expect([202, 405, sent?.visitor], at).toContain(posted.status);
    expect(`${answer.body}${posted.body}`, at).not.toMatch(/"email"|"history"|"premium"/);
  }
});

describe.each(['tracking', 'schedule', 'analytics', 'vendors'])('the premium area %s', (area) => {
  it('tells a free user, with a way to upgrade', async () => {
    const client = await web.user();
    const answer = await client.get(`/dashboard/${area}`);
    expect(answer.status).toBe(403);
    const main = answer.body.slice(answer.body.indexOf('<main'));
    expect(visibleText(main)).toContain('Premium users only');
    expect(main).toContain('href="/upgrade"');
  });
});
