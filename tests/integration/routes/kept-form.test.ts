import { describe, expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { ACCESS } from './access-table.ts';
import { toSignIn } from './access-rows.ts';
import { alerts, fieldError, fieldValue, visibleText } from '#tests/support/html.ts';
import { storedIn } from './stored.ts';
import type { WebClient } from './web-client.ts';
import { calculationForm, useWeb } from './web.ts';

const web = useWeb();

const SIGNED_OUT = 'You were signed out. Sign in to finish saving.';
const FINISH = '/dashboard/finish';

/** What the session of a browser was until it ended there. */
function endSession(client: WebClient): string {
  const session = client.cookies.get('vialbook_session') ?? '';
  client.cookies.delete('vialbook_session');
  return session;
}

/** The hidden fields of the form that is to be finished, and where it goes. */
function finishing(body: string) {
  const form = /<form method="post" action="([^"]*)"[^>]*class="grid max-w-2xl[\s\S]*?<\/form>/.exec(body);
  const fields = [...(form?.[0] ?? '').matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    action: form?.[1] ?? '',
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])),
  };
}

const signIn = (client: WebClient, email: string, redirectTo: string) =>
  client.post('/login', { email, password: PASSWORD, redirectTo });

describe('a form sent after its session has ended', () => {
  it('says so on the sign-in page, is shown again afterwards, and is saved with one click', async () => {
    const client = await web.user();
    endSession(client);
    const away = await client.post('/dashboard/vials/new', { name: 'Kept', totalAmount: '5', waterMl: '2' });
    expect([away.status, away.location]).toEqual(toSignIn('/dashboard/vials/new'));
    const asked = await client.get(away.location ?? '');
    expect(alerts(asked.body)).toEqual([SIGNED_OUT]);

    const signedIn = await signIn(client, client.email, '/dashboard/vials/new');
    expect([signedIn.status, signedIn.location]).toEqual([302, FINISH]);
    const shown = await client.get(FINISH);
    expect(visibleText(shown.body)).toContain('Kept');
    const { action, fields } = finishing(shown.body);
    const saved = await client.post(action, fields);
    expect(saved.location).toMatch(/^\/dashboard\/vials\/vial_/);
    const vials = await storedIn(web.dataDir, 'compounds');
    expect(vials.filter(({ name }) => name === 'Kept')).toHaveLength(1);
  });

  it('comes back filled in if something is wrong with it', async () => {
    const client = await web.user();
    endSession(client);
    await client.post('/dashboard/calculator', calculationForm({ peptideName: 'Kept', waterVolume: '11' }));
    await signIn(client, client.email, '/dashboard/calculator');
    const { action, fields } = finishing((await client.get(FINISH)).body);
    const again = await client.post(action, fields);
    expect(again.status).toBe(400);
    expect(fieldError(again.body, 'waterVolume')).not.toBeNull();
    expect(fieldValue(again.body, 'peptideName')).toBe('Kept');
  });

  it('is shown to nobody else, and is gone after signing out', async () => {
    const [client, other] = [await web.user(), await web.user()];
    endSession(client);
    await client.post('/dashboard/vials/new', { name: 'Mine alone' });
    const sealed = client.cookies.get('vialbook_form') ?? '';
    expect((await signIn(client, other.email, '/dashboard/vials/new')).location).toBe('/dashboard/vials/new');
    expect(client.cookies.has('vialbook_form')).toBe(false);
    client.cookies.set('vialbook_form', sealed);
    expect((await client.get(FINISH)).location).toBe('/dashboard');
    await client.post('/logout');
    expect(client.cookies.has('vialbook_form')).toBe(false);
  });

  it('leads to its own page if nothing was typed, and says when it is too long to keep', async () => {
    const client = await web.user();
    endSession(client);
    const at = '/dashboard/vials/new';
    await client.post(at, { idempotencyKey: 'none' });
    expect((await signIn(client, client.email, at)).location).toBe(at);
    endSession(client);
    const noise = Array.from({ length: 3000 }, (_, at) => (at * 2_654_435_761).toString(36)).join('');
    const away = await client.post(at, { name: 'Long', notes: noise });
    const [notice] = alerts((await client.get(away.location ?? '')).body);
    expect(notice).toContain('too long to be kept');
  });

  it('of an administrator is finished after the admin sign-in', async () => {
    const admin = await web.admin();
    const session = endSession(admin);
    const at = '/admin/dashboard/system/announcements';
    const away = await admin.post(at, { message: 'Typed by an administrator' });
    expect(alerts((await admin.get(away.location ?? '')).body)).toEqual([SIGNED_OUT]);
    admin.cookies.set('vialbook_session', session);
    expect(visibleText((await admin.get(FINISH)).body)).toContain('Typed by an administrator');
  });

  it('with a file keeps everything else and asks for the file again', async () => {
    const client = await web.user();
    const session = endSession(client);
    const part = (head: string, body: string) =>
      `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
    const body = `${part('name="notes"', 'Beside a file')}${part('name="file"; filename="a.csv"', 'secret bytes')}--edge--\r\n`;
    await client.send('/dashboard/import?index', body, 'multipart/form-data; boundary=edge');
    client.cookies.set('vialbook_session', session);
    const text = visibleText((await client.get(FINISH)).body);
    expect(text).toContain('Beside a file');
    expect(text).toContain('choose yours again');
    expect(text).not.toContain('secret bytes');
  });
});

/** Every address of a signed-in page that takes forms. */
const ADDRESSES = Object.values(ACCESS)
  .flat()
  .filter(({ at, sent }) => sent && !at.startsWith('/offline/'))
  .filter(({ at, sent }) => JSON.stringify(sent?.visitor) === JSON.stringify(toSignIn(at)))
  .map(({ at }) => at);

it('keeps what was typed in every form on every page, except passwords', async () => {
  expect(ADDRESSES.length).toBeGreaterThan(50);
  const client = await web.user();
  const unkept: string[] = [];
  for (const [index, at] of ADDRESSES.entries()) {
    const session = endSession(client);
    client.cookies.delete('vialbook_form');
    await client.post(at, { typed: 'What was typed', password: 'never-kept', currentPassword: 'never-kept' });
    client.cookies.set('vialbook_session', session);
    if (!client.cookies.has('vialbook_form')) {
      unkept.push(at);
      continue;
    }
    // One way keeps them all; the page that shows them takes most of the time.
    if (index % 10 !== 0) continue;
    const { body } = await client.get(FINISH);
    const [path = ''] = at.split('?');
    expect(finishing(body).fields, at).toEqual({ typed: 'What was typed' });
    expect(finishing(body).action.replaceAll('&amp;', '&'), at).toContain(path);
    expect(body, at).not.toContain('never-kept');
  }
  // What scripts send behind a page: nobody typed that.
  expect(unkept).toEqual(['/dashboard/reminders/check', '/dashboard/profile/push']);
});
