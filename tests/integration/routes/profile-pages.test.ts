import { describe, expect, it } from 'vitest';
import { spawnCli } from '#tests/support/cli.ts';
import { testConnection } from '#tests/support/database.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { elements, control, fieldError, fieldValue, visibleText } from '#tests/support/html.ts';
import { PUSH_MESSAGES } from '#app/domain/reminders/push-schema.ts';
import { addStored, userIdOf } from './stored.ts';
import { confirmLink, registerForm, useWeb } from './web.ts';

const web = useWeb();

describe('API tokens without scripts', () => {
  const NEW = '/dashboard/profile/tokens/new';
  const TOKEN = { name: 'Home <b>server</b>', scope: 'write', life: 'never' };

  it('are created, shown once, listed and revoked', async () => {
    const person = await web.user();
    expect(visibleText((await person.get('/dashboard/profile/tokens')).body)).toContain('No tokens yet');
    const made = await person.post(NEW, TOKEN);
    expect([made.status, made.headers['cache-control']]).toEqual([200, 'no-store']);
    const secret = /vialbook_[A-Za-z0-9_-]{43}/.exec(made.body)?.[0] ?? expect.unreachable('no token');
    const list = await person.get('/dashboard/profile/tokens');
    expect(visibleText(list.body)).toMatch(
      /Home <b>server<\/b>Read and write Not used yet\. Created .*, never expires\./,
    );
    for (const path of ['/dashboard/profile/tokens', NEW, '/dashboard/profile'])
      expect((await person.get(path)).body, path).not.toContain(secret);
    const called = await web.visitor().get('/api/auth/me', { authorization: `Bearer ${secret}` });
    expect(called.status).toBe(200);
    const revoke = /\/dashboard\/profile\/tokens\/[^/]+\/revoke/.exec(list.body)?.[0] ?? '';
    expect(visibleText((await person.get(revoke)).body)).toContain('Revoke this token?');
    expect((await person.post(revoke)).location).toBe('/dashboard/profile/tokens');
    expect((await web.visitor().get('/api/auth/me', { authorization: `Bearer ${secret}` })).status).toBe(401);
    expect(web.server.output()).not.toContain(secret.slice(9));
  });

  it('keep what was typed when something is wrong', async () => {
    const person = await web.user();
    const refused = await person.post(NEW, { ...TOKEN, name: 'n'.repeat(61), life: '5' });
    expect(refused.status).toBe(400);
    expect(fieldError(refused.body, 'name')).toBe('A name can have at most 60 characters');
    expect(fieldError(refused.body, 'life')).toBe('Choose how long the token lasts');
    expect(refused.body).toContain('<option value="write" selected="">');
    expect(refused.body).not.toContain('vialbook_');
  });
});

describe('notification choices without scripts', () => {
  const PATH = '/dashboard/profile/notifications';
  const isOn = (body: string, name: string) => control(body, name)?.['checked'] !== undefined;

  it('are saved as a whole: an unticked box means no', async () => {
    const person = await web.user({ trial: true });
    const before = (await person.get(PATH)).body;
    expect([isOn(before, 'push'), isOn(before, 'email')]).toEqual([true, false]);
    const form = { email: 'on', discreet: 'on', missedAfterHours: '12', leadDefault: '0' };
    expect((await person.post(PATH, form)).location).toBe(PATH);
    const after = (await person.get(PATH)).body;
    expect(visibleText(after)).toContain('Notification settings saved');
    expect(['push', 'email', 'discreet', 'lowStock'].map((name) => isOn(after, name))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(fieldValue(after, 'missedAfterHours')).toBe('12');
    expect(fieldValue(after, 'leadDefault')).toBe('0');
  });

  it('keep what was typed when something is wrong', async () => {
    const person = await web.user();
    const refused = await person.post(PATH, { email: 'on', missedAfterHours: '0', leadDefault: 'soon' });
    expect(refused.status).toBe(400);
    expect(fieldError(refused.body, 'missedAfterHours')).toBe('Enter whole hours from 1 to 168');
    expect(fieldError(refused.body, 'leadDefault')).toBe('Enter whole minutes from 0 to 120');
    expect(fieldValue(refused.body, 'leadDefault')).toBe('soon');
    expect([isOn(refused.body, 'email'), isOn(refused.body, 'push')]).toEqual([true, false]);
  });
});

describe('quiet hours, muting today and tests of browsers without scripts', () => {
  const PATH = '/dashboard/profile/notifications';
  const FORM = { missedAfterHours: '24', leadDefault: '15' };

  it('are saved as a pair, shown again, and removed', async () => {
    const person = await web.user({ trial: true });
    const quiet = { ...FORM, quietFrom: '22:00', quietTo: '07:00', escalateAfterMinutes: '5' };
    expect((await person.post(PATH, quiet)).location).toBe(PATH);
    const { body } = await person.get(PATH);
    const names = ['quietFrom', 'quietTo', 'escalateAfterMinutes'];
    expect(names.map((name) => fieldValue(body, name))).toEqual(['22:00', '07:00', '5']);
    const half = await person.post(PATH, { ...FORM, quietFrom: '22:00', quietTo: '' });
    expect([half.status, fieldError(half.body, 'quietTo')]).toEqual([400, 'Enter both times, or neither']);
    expect((await person.post(PATH, { ...FORM, quietFrom: '', quietTo: '' })).location).toBe(PATH);
    expect(fieldValue((await person.get(PATH)).body, 'quietFrom') ?? '').toBe('');
  });

  it.each([PATH, '/dashboard/reminders'])('today is muted and unmuted with one press on %s', async (path) => {
    const person = await web.user({ trial: true });
    const to = path === PATH ? PATH : `${path}?index`;
    expect((await person.post(to, { intent: 'mute' })).location).toBe(path);
    expect(visibleText((await person.get(path)).body)).toContain('Muted until midnight Unmute');
    expect((await person.post(to, { intent: 'unmute' })).location).toBe(path);
    expect(visibleText((await person.get(path)).body)).toContain('Mute for today');
  });

  it('today is muted and unmuted from the bell of any page', async () => {
    const person = await web.user({ trial: true });
    const bell = async () => {
      const { body } = await person.get('/dashboard/vials');
      const [button] = elements(body, '.bell-panel form:has([name=intent]) button');
      const form = button?.closest('form');
      const intent = form?.querySelector('[name=intent]')?.getAttribute('value') ?? '';
      return { name: button?.textContent, action: form?.getAttribute('action') ?? '', intent };
    };
    for (const name of ['Mute for today', 'Unmute']) {
      const { name: shown, action, intent } = await bell();
      expect(shown).toBe(name);
      expect((await person.post(action, { intent })).status).toBe(302);
    }
    expect((await bell()).name).toBe('Mute for today');
  });

  it('a test says why it was not sent, and is refused for somebody else’s browser', async () => {
    const person = await web.user({ trial: true });
    const row = { _id: `push_tested_${Date.now()}`, userId: await userIdOf(web.dataDir, person.email) };
    const keys = { endpoint: 'https://push.example/x', p256dh: 'x', auth: 'y' };
    const details = { signInId: 's', browser: 'Lynx on Plan 9', createdAt: new Date() };
    await addStored(web.dataDir, 'push_subscriptions', [{ ...row, ...keys, ...details }]);
    expect(visibleText((await person.get(PATH)).body)).toContain('No delivery proven yet');
    const other = await web.user({ trial: true });
    expect((await other.post(PATH, { intent: 'test', id: row._id })).status).toBe(404);
    expect((await person.post(PATH, { intent: 'test', id: row._id })).location).toBe(PATH);
    expect(visibleText((await person.get(PATH)).body)).toContain('Not sent: ');
  });
});

describe('the address where a browser confirms a push', () => {
  const AT = '/push/shown';

  it('answers an invented token with 404, whoever asks, and says nothing about anybody', async () => {
    const person = await web.user({ trial: true });
    for (const client of [person, web.visitor()]) {
      const { status, body } = await client.post(AT, { token: 'A'.repeat(43) });
      expect([status, body.trim()]).toEqual([404, PUSH_MESSAGES.confirmed]);
    }
  });

  it('accepts no form of another site', async () => {
    const { status } = await web
      .visitor()
      .post(AT, { token: 'A'.repeat(43) }, { origin: 'https://evil.example' });
    expect(status).toBe(403);
  });
});

describe('a new account without scripts', () => {
  it('sees on every page that its address is unconfirmed, until it opens the link', async () => {
    const person = await web.user();
    const bar = 'Confirm your email Resend link';
    const again = '/dashboard/profile/email/confirm';
    for (const path of ['/dashboard/calculator', '/dashboard/vials', '/dashboard/profile'])
      expect(visibleText((await person.get(path)).body), path).toContain(bar);
    expect(visibleText((await person.get('/dashboard/referrals')).body)).toContain(
      'Confirm your email address first',
    );
    expect(visibleText((await person.get(again)).body)).toContain(`We mailed a link to ${person.email}.`);
    expect((await person.post(again)).location).toBe(again);
    const link = await confirmLink(web, person.email);
    const elsewhere = web.visitor();
    expect(visibleText((await elsewhere.get(link)).body)).toContain('Confirm your email address');
    expect(visibleText((await person.get('/dashboard/vials')).body)).toContain(bar);
    expect((await elsewhere.post(link)).location).toBe('/login');
    expect((await elsewhere.get(link)).status).toBe(404);
    expect(visibleText((await person.get('/dashboard/vials')).body)).not.toContain(bar);
    expect((await person.get('/dashboard/referrals')).body).toContain('/register?ref=');
  });
});

describe('referrals without scripts', () => {
  it('lead from the link to a registration and onto the list, without names', async () => {
    const person = await web.registered();
    const { body } = await person.get('/dashboard/referrals');
    const link = /http[^<\s]+\/register\?ref=([0-9A-Z]{8})/.exec(visibleText(body));
    expect(body).toContain('aria-label="QR code of your link"');
    const friend = web.visitor();
    const page = await friend.get(`/register?ref=${link?.[1]}`);
    expect(fieldValue(page.body, 'ref')).toBe(link?.[1]);
    expect(visibleText(page.body)).toContain(
      'Your invitation counts: once you make your first payment, you and the person who invited you get 30 days of Premium each.',
    );
    const form = registerForm('invited@example.org', { ref: fieldValue(page.body, 'ref') ?? '' });
    expect((await friend.post('/register', form)).location).toBe('/dashboard');
    const ledger = visibleText((await person.get('/dashboard/referrals')).body);
    expect(ledger).toContain('1 pending, 0 credited, 0 reversed.');
    expect(ledger).not.toContain('invited');
    // Days, as the end of the credit beside them; not the minute somebody registered.
    expect(ledger).toMatch(/Updated (\d{1,2} [A-Z][a-z]+ \d{4}) Pending ?No payment yet \1 (?!at)/);
  });

  it.each(['"><script>alert(1)</script>', '//evil.example', 'x'.repeat(5000)])(
    'show a hostile code %j only as text',
    async (code) => {
      const page = await web.visitor().get(`/register?ref=${encodeURIComponent(code)}`);
      expect(page.status).toBe(200);
      expect(page.body).not.toContain('<script>alert(1)');
      expect(fieldValue(page.body, 'ref')?.length ?? 0).toBeLessThanOrEqual(64);
      expect(visibleText(page.body)).toContain('We don’t know this invitation code, so it won’t count.');
    },
  );

  it('give an account created at the terminal its link on request', async () => {
    const env = { DATA_DIR: web.dataDir, VIALBOOK_PASSWORD: PASSWORD, NODE_ENV: 'production' };
    const { code, stderr } = await spawnCli(['admin', 'create', 'terminal@example.org', '--yes'], { env });
    expect(code, stderr).toBe(0);
    const admin = web.visitor();
    await admin.post('/login', { email: 'terminal@example.org', password: PASSWORD });
    expect(visibleText((await admin.get('/dashboard/referrals')).body)).toContain(
      'You do not have a link yet.',
    );
    expect((await admin.post('/dashboard/referrals')).location).toBe('/dashboard/referrals');
    expect((await admin.get('/dashboard/referrals')).body).toContain('/register?ref=');
  });
});

describe('the end of Premium from referrals', () => {
  it('is the same day, in the owner’s time zone, on the plans page, the profile and the referral page', async () => {
    const person = await web.registered();
    const late = { timeZone: 'Pacific/Kiritimati' };
    expect((await person.post('/dashboard/profile', late)).status).toBe(302);
    const creditUntil = new Date('2198-12-31T20:00:00Z');
    await asSomeone(web.dataDir, person.email, async (_ctx, database) => {
      const users = testConnection(database).collection('users');
      const { modifiedCount } = await users.updateOne({ email: person.email }, { $set: { creditUntil } });
      expect(modifiedCount).toBe(1);
    });
    const shownOn = async (path: string) => visibleText((await person.get(path)).body);
    const said = 'You have Premium from referrals until 1 January 2199.';
    expect(await shownOn('/upgrade')).toContain(said);
    expect(await shownOn('/dashboard/profile')).toContain(said);
    expect(await shownOn('/dashboard/referrals')).toContain('Your credit lasts until 1 January 2199.');
  });
});
