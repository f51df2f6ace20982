import { expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { spawnCli } from '#tests/support/cli.ts';
import { alerts, visibleText } from '#tests/support/html.ts';
import { calculationForm, useWeb } from './web.ts';

/** Suspended at the terminal, effective at the next request. */
const web = useWeb();
const MESSAGE = 'This account is suspended. Contact support.';

const admin = async (action: string, email: string) => {
  const { code, stderr } = await spawnCli(['admin', action, email, '--reason', 'chargeback', '--yes'], {
    env: { DATA_DIR: web.dataDir, NODE_ENV: 'production' },
  });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
};

it('a suspended user is signed out at the next request, in every browser, and told why', async () => {
  const client = await web.user({ trial: true });
  const other = web.visitor();
  await other.post('/login', { email: client.email, password: PASSWORD });
  await admin('suspend', client.email);
  for (const path of ['/dashboard', '/calculator', '/upgrade', '/dashboard/export', '/terms', '/login']) {
    const browser = web.visitor();
    for (const [name, value] of client.cookies) browser.cookies.set(name, value);
    const answer = await browser.get(path);
    expect([answer.status, answer.location], path).toEqual([302, '/login?notice=suspended']);
    expect(browser.cookies.has('vialbook_session'), path).toBe(false);
    const page = await browser.get(answer.location ?? '');
    expect(page.status).toBe(200);
    expect(alerts(page.body), path).toEqual([MESSAGE]);
  }
  // Background requests of scripts do not use up the message.
  for (const file of ['/offline/snapshot', '/dashboard/reminders/check']) {
    const answer = await client.get(file);
    expect([answer.status, answer.location], file).toEqual([302, '/login?notice=suspended']);
    expect(client.cookies.has('vialbook_session'), file).toBe(true);
  }
  const saving = await client.post('/dashboard/calculator', calculationForm({ peptideName: 'Too late' }));
  expect(saving.location).toBe('/login?notice=suspended');
  const scripts = await other.get('/dashboard.data');
  expect(scripts.status).toBe(202);
  expect(scripts.body).toContain('"/login?notice=suspended"');
});

it('a suspended user cannot sign in, and learns that only with the right password', async () => {
  const client = await web.user();
  await admin('suspend', client.email);
  const right = await web.visitor().post('/login', { email: client.email, password: PASSWORD });
  expect(right.status).toBe(403);
  expect(alerts(right.body)).toEqual([MESSAGE]);
  const wrong = await web.visitor().post('/login', { email: client.email, password: 'not-the-one' });
  expect(wrong.status).toBe(400);
  expect(alerts(wrong.body)).toEqual(['Invalid email or password']);
});

it('a reinstated user can sign in again, with the rest of the trial', async () => {
  const client = await web.user({ trial: true });
  await admin('suspend', client.email);
  await admin('reinstate', client.email);
  expect((await client.get('/dashboard')).status).toBe(302);
  expect((await client.post('/login', { email: client.email, password: PASSWORD })).status).toBe(302);
  expect(visibleText((await client.get('/dashboard')).body)).toContain('Trial: 14 days left');
});

it('suspending and reinstating say beforehand what will end and what will stay', async () => {
  const client = await web.user({ trial: true });
  const desk = await web.admin();
  const found = await desk.get(`/admin/dashboard/users?search=${encodeURIComponent(client.email)}`);
  const [path = ''] = /\/admin\/dashboard\/users\/[\w-]{8,}/.exec(found.body) ?? [];
  const asked = async (step: string) => {
    const { status, body } = await desk.get(`${path}/${step}`);
    expect(status, `${path}/${step}`).toBe(200);
    return visibleText(body);
  };
  expect(await asked('suspend')).toContain(
    'Signs the person out everywhere and cancels a paid subscription immediately, without a refund. A grant, credit and the rest of a trial are kept; the trial is paused.',
  );
  await admin('suspend', client.email);
  expect(await asked('reinstate')).toContain(
    'The person can sign in again. A grant, credit and the rest of a trial resume; a canceled subscription stays canceled.',
  );
});
