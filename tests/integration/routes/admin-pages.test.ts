import { beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '#tests/support/html.ts';
import { addStored, readKept, storedIn } from './stored.ts';
import type { WebClient } from './web-client.ts';
import { useOwnWeb } from './web.ts';

/** The admin pages' figures, compared with the stored data. */
const web = useOwnWeb();
const DAY = 86_400_000;
let admin: WebClient & { email: string };
let top: WebClient & { email: string };
let payer: WebClient & { email: string };
let payerId: string;

beforeAll(async () => {
  top = await web.admin('super_admin');
  admin = await web.admin();
  payer = await web.user();
  await web.user({ trial: true });
  await web.user();
  const users = await storedIn(web.dataDir, 'users');
  payerId = String(users.find(({ email }) => email === payer.email)?._id);
  const event = (n: number, eventType: string, amountCents: number, daysAgo: number, status = 'success') => ({
    _id: `evt_${n}`,
    userId: payerId,
    eventType,
    amountCents,
    status,
    createdAt: new Date(Date.now() - daysAgo * DAY),
    details: `Told as number ${n}.`,
  });
  const paid = Array.from({ length: 25 }, (_, n) => event(n, 'payment_succeeded', 100_000, 2));
  await addStored(web.dataDir, 'subscription_events', [
    ...paid,
    event(25, 'payment_failed', 500, 1, 'failed'),
    event(26, 'subscription_created', 0, 40),
    event(27, 'subscription_canceled', 0, 3),
  ] as never[]);
});

const read = async (path: string, client = admin) => {
  const { status, body } = await client.get(`/admin/dashboard${path}`);
  expect(status, path).toBe(200);
  return { body, text: visibleText(body) };
};
/** The figure under a label, its link, and the note below it. */
function figureOf(body: string, label: string) {
  const [, rest = ''] = body.split(`>${label}</dt>`);
  const [piece = ''] = rest.split('</div>', 1);
  return { href: /href="([^"]+)"/.exec(piece)?.[1]?.replaceAll('&amp;', '&'), text: visibleText(piece) };
}

describe('the admin overview', () => {
  it('shows totals with percentages and revenue with the average, and links each number to its list', async () => {
    const { body, text } = await read('');
    const figures = {
      'Total users': ['5 20.0% premium', '/admin/dashboard/users', 5],
      'Premium users': ['1 20.0% of all users', '/admin/dashboard/users?subscription=premium', 1],
      'Free users': ['4 80.0% of all users', '/admin/dashboard/users?subscription=free', 4],
      'Active users (30 days)': ['5 100.0% of all users', '/admin/dashboard/users?active=30', 5],
    } as const;
    for (const [label, [shown, href, count]] of Object.entries(figures)) {
      expect(figureOf(body, label), label).toEqual({ text: shown, href });
      const rows = await admin.get(href);
      expect(rows.body.match(/aria-label="View /g)?.length, label).toBe(count);
    }
    expect(figureOf(body, 'Monthly revenue')).toEqual({
      text: '$25,000.00 $25,000.00 average per premium user, last 30 days',
      href: '/admin/dashboard/subscriptions',
    });
    for (const words of [
      'Quick actions',
      'Recent activity',
      'Payment failed, $5.00',
      'Admin account created',
    ])
      expect(text).toContain(words);
  });
});

describe('the admin subscription pages', () => {
  it('link each figure to its events, 20 to a page', async () => {
    const { body, text } = await read('/subscriptions');
    expect(text).toContain('Recent Events');
    expect(body.match(/<th scope="row"/g)?.length).toBe(20);
    const figures = {
      'Revenue, 30 days': [
        '$25,000.00 $0.00 in the 30 days before',
        'payment_succeeded',
        'Payment succeeded',
      ],
      'Payment success, 30 days': ['96.2% of all payments attempted', 'payment_failed', 'Payment failed'],
      'Churn, 30 days': [
        '100.0% of 1 subscription at the start',
        'subscription_canceled',
        'Subscription canceled',
      ],
    } as const;
    for (const [label, [shown, type, words]] of Object.entries(figures)) {
      const href = `/admin/dashboard/subscriptions?type=${type}`;
      expect(figureOf(body, label), label).toEqual({ text: shown, href });
      const rows = [...(await admin.get(href)).body.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/g)];
      expect(new Set(rows.map(([, name = '']) => visibleText(name))), label).toEqual(new Set([words]));
    }
    const page = await read('/subscriptions?type=payment_succeeded');
    const next = /href="([^"]+)"[^>]*rel="next"|rel="next"[^>]*href="([^"]+)"/.exec(page.body);
    const older = await admin.get((next?.[1] ?? next?.[2] ?? '').replaceAll('&amp;', '&'));
    expect(older.body.match(/<th scope="row"/g)?.length).toBe(5);
    expect((await read('/subscriptions?type=%7B%22%24ne%22%3A1%7D')).body).toContain('Told as number 25.');
    expect((await read('/subscriptions?type=refunded')).text).toContain('No such events');
  });

  it('have monthly charts, each with its figures as a table', async () => {
    const { text } = await read('/subscriptions/analytics');
    for (const words of ['Trial conversion', 'Revenue', 'Subscriptions started and ended', '$25,000.00'])
      expect(text).toContain(words);
    expect(text).toContain('96.2% of the 26 payments attempted in 12 months succeeded.');
    expect(text.match(/Table and formula|Show as a table/g)).toHaveLength(3);
  });
});

describe('a user in the admin area', () => {
  it('is shown with all specified facts and usage, and the view is audited and visible to the owner', async () => {
    const looks = async () => {
      const audit = await storedIn(web.dataDir, 'audit');
      return audit.filter(({ action, subjectId }) => action === 'user.view' && subjectId === payerId).length;
    };
    const before = await looks();
    const { text } = await read(`/users/${payerId}`);
    for (const label of ['Email', 'Role', 'Subscription', 'Created', 'Last login', 'Usage', 'calculations'])
      expect(text).toContain(label);
    expect(text).toContain(payer.email);
    expect(await looks()).toBe(before + 1);
    const log = visibleText((await payer.get('/dashboard/profile/access-log')).body);
    expect(log).toContain('Account viewed');
    expect(log).not.toContain(admin.email);
  });

  it('can be deleted or get a new role only from super admins, and never from themselves', async () => {
    const { text } = await read(`/users/${payerId}`);
    expect(text).not.toContain('Change role');
    expect((await read(`/users/${payerId}`, top)).text).toContain('Change role');
    for (const change of ['role', 'delete']) {
      const path = `/admin/dashboard/users/${payerId}/${change}`;
      expect((await admin.get(path)).status, change).toBe(403);
      const form = { revision: '0', reason: 'a try', role: 'admin', confirmEmail: payer.email };
      expect((await admin.post(path, form)).status, change).toBe(403);
    }
    const users = await storedIn(web.dataDir, 'users');
    const own = users.find(({ email }) => email === top.email);
    const before = await readKept(web.dataDir);
    for (const change of ['suspend', 'downgrade', 'role', 'delete', 'sign-out']) {
      const path = `/admin/dashboard/users/${String(own?._id)}/${change}`;
      const form = { revision: '0', reason: 'a try', role: 'user', confirmEmail: top.email };
      expect((await top.post(path, form)).status, change).toBe(403);
    }
    expect(await readKept(web.dataDir)).toEqual(before);
  });

  it('is shown with plan, renewal, last payment and open issues, and the time zone of every time', async () => {
    const renewal = new Date('2031-05-04T08:30:00.000Z');
    const subscription = {
      id: 'sub_1',
      customerId: 'cus_1',
      createdAt: renewal,
      status: 'active',
      plan: 'yearly',
      currentPeriodEnd: renewal,
      cancelAt: null,
      unpaid: null,
      closedAt: null,
    };
    const nothing = { troubles: [], card: null, firstPaidAt: null, takenBack: [] };
    const state = { ...nothing, subscriptions: [subscription] };
    await addStored(web.dataDir, 'billing', [
      { _id: payerId, userId: payerId, version: 1, state, toCancelSince: null } as never,
    ]);
    const issue = (id: string, status: string) => ({
      _id: `${payerId}:${id}`,
      userId: payerId,
      issueId: id,
      type: 'dispute',
      amountCents: 3000,
      description: 'A payment is disputed.',
      status,
      openedAt: new Date(),
      resolvedAt: null,
    });
    await addStored(web.dataDir, 'billing_issues', [
      issue('du_1', 'open'),
      issue('du_2', 'resolved'),
    ] as never[]);
    const { body } = await admin.get(`/admin/dashboard/users/${payerId}`);
    const text = visibleText(body);
    for (const said of ['Yearly', '4 May 2031, 08:30 UTC', '$1000.00, ']) expect(text).toContain(said);
    expect(text).toMatch(/Created\s+\d+ \w+ \d{4}, \d\d:\d\d UTC/);
    const issues = '/admin/dashboard/subscriptions/issues/';
    expect(body).toContain(`href="${issues}${encodeURIComponent(`${payerId}:du_1`)}"`);
    expect(body).not.toContain(encodeURIComponent(`${payerId}:du_2`));
  });

  it('is shown with sessions, each of which can be ended with a reason', async () => {
    const somebody = await web.user();
    const userId = String(
      (await storedIn(web.dataDir, 'users')).find(({ email }) => email === somebody.email)?._id,
    );
    const path = `/admin/dashboard/users/${userId}`;
    const { body, text } = await read(`/users/${userId}`);
    expect(text).toMatch(/Sessions.*Last used \d+ \w+ \d{4}, \d\d:\d\d UTC, signed in/);
    const [, query = ''] = /href="[^"]*\/end-session(\?session=[0-9a-f]+)"/.exec(body) ?? [];
    const page = await admin.get(`${path}/end-session${query}`);
    expect(visibleText(page.body)).toContain(`End this session of ${somebody.email}? User`);
    expect(visibleText(page.body)).toContain('Last used');
    const revision = /name="revision" value="(\d+)"/.exec(page.body)?.[1] ?? '';
    const end = (reason: string) => admin.post(`${path}/end-session${query}`, { revision, reason });
    const refused = await end('');
    expect([refused.status, visibleText(refused.body)]).toEqual([400, expect.stringContaining('Last used')]);
    expect((await somebody.get('/dashboard')).status).toBe(200);
    const done = await end('a lost phone');
    expect([done.status, done.location]).toEqual([302, path]);
    expect((await somebody.get('/dashboard')).status).toBe(302);
    expect((await read(`/users/${userId}`)).text).toContain('Not signed in anywhere.');
    expect(visibleText((await admin.get(`${path}/end-session${query}`)).body)).toContain('already ended');
  });

  it('has only permitted actions in the list, and its page leads back to the same rows', async () => {
    const users = await storedIn(web.dataDir, 'users');
    const idOf = (email: string) => String(users.find((user) => user['email'] === email)?._id);
    const list = 'sort=lastLogin';
    const { body } = await admin.get(`/admin/dashboard/users?${list}`);
    const to = (id: string, rest = '') =>
      `href="/admin/dashboard/users/${id}${rest}?list=${encodeURIComponent(list)}"`;
    for (const email of [admin.email, top.email]) {
      expect(body).toContain(to(idOf(email)));
      expect(body).not.toContain(to(idOf(email), '/suspend'));
    }
    expect(body).toContain(to(payerId, '/suspend'));
    const query = `?list=${encodeURIComponent(list)}`;
    const page = await admin.get(`/admin/dashboard/users/${payerId}/sign-out${query}`);
    const revision = /name="revision" value="(\d+)"/.exec(page.body)?.[1] ?? '';
    const path = `/admin/dashboard/users/${payerId}`;
    const done = await admin.post(`${path}/sign-out${query}`, { revision, reason: 'asked by mail' });
    expect([done.status, done.location]).toEqual([302, `${path}${query}`]);
    expect((await admin.get(`${path}${query}`)).body).toContain(`href="/admin/dashboard/users?${list}"`);
  });

  it('is not found by patterns or operators, and the page still works', async () => {
    for (const search of ['.*', '^', '(a+)+$', '{"$gt":""}', '$where', '[', '%00', '\\'])
      expect((await read(`/users?search=${encodeURIComponent(search)}`)).text, search).toContain(
        'No matches',
      );
    const { body } = await read('/users?search=%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(body).not.toContain('<script>alert(1)');
  });
});
