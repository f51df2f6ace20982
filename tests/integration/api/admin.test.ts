import { expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { visibleText } from '#tests/support/html.ts';
import { useApi } from './world.ts';

/** Administration through the API. */
const world = useApi();

const DAY = 86_400_000;
/** The UTC day a number of days after an instant; new administrators use UTC. */
const dayFrom = (at: string, days: number) =>
  new Date(Date.parse(at) + days * DAY).toISOString().slice(0, 10);

it('the audit log is filtered by days, both inclusive, like on the page', async () => {
  const admin = await world.admin();
  const person = await world.free();
  const { body } = await person.get('/api/auth/me');
  const { id } = body.data?.['user'] as { id: string };
  for (const action of ['suspend', 'reinstate'])
    expect((await admin.patch(`/api/admin/users/${id}/status`, { action, reason: 'a test' })).status).toBe(
      200,
    );
  const browser = world.web.visitor();
  await browser.post('/admin/login', { email: admin.email, password: PASSWORD });

  /** The API's entries; the page has as many rows, each with its reason. */
  const told = async (days: Record<string, string>) => {
    const query = { subject: person.email, ...days };
    const { status, body: answer } = await admin.call('GET', '/api/admin/audit-log', { query });
    const { entries, total } = answer.data as { entries: { action: string; at: string }[]; total: number };
    expect([status, total]).toEqual([200, entries.length]);
    const page = await browser.get(`/admin/dashboard/audit?${new URLSearchParams(query)}`);
    const rows = visibleText(page.body).split('a test').length - 1;
    expect([page.status, rows]).toEqual([200, entries.length]);
    return entries;
  };
  const all = await told({});
  const actions = all.map(({ action }) => action);
  expect(actions).toEqual(['user.reinstate', 'user.suspend']);
  // The two may be on either side of midnight.
  const [last, first] = all.map(({ at }) => at) as [string, string];
  const [startDate, endDate] = [dayFrom(first, 0), dayFrom(last, 0)];
  expect(await told({ startDate, endDate })).toEqual(all);
  expect(await told({ startDate })).toEqual(all);
  expect(await told({ endDate })).toEqual(all);
  expect(await told({ endDate: dayFrom(first, -1) })).toEqual([]);
  expect(await told({ startDate: dayFrom(last, 1) })).toEqual([]);
  const reversed = { startDate: dayFrom(last, 1), endDate };
  const refused = await admin.call('GET', '/api/admin/audit-log', { query: reversed });
  expect([refused.status, refused.body.error]).toEqual([400, 'INVALID_INPUT']);
});
