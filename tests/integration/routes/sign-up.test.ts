import { describe, expect, it } from 'vitest';
import { runCli } from '#tests/support/cli.ts';
import { elements, visibleText } from '#tests/support/html.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { storedIn } from './stored.ts';
import type { WebClient } from './web-client.ts';
import { registerForm, useOwnWeb } from './web.ts';

const linksToRegister = (html: string) => elements(html, '[href^="/register"], [formaction^="/register"]');

const RESULT = '/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25&mode=result';

/** Pages that offer an account where there is one to be had. */
const OFFERING = ['/', '/login', '/calculator', RESULT, '/demo'];

function registerByApi(client: WebClient, email: string, more: object = {}) {
  const body = JSON.stringify({
    ...registerForm(email),
    agreeToTerms: true,
    ageVerification: true,
    ...more,
  });
  return client.send('/api/auth/register', body, 'application/json');
}

describe('with SIGN_UP=closed', () => {
  const web = useOwnWeb({ SIGN_UP: 'closed' });

  it('nobody can create an account, on the page or by the API, and both say so', async () => {
    const visitor = web.visitor();
    const page = await visitor.get('/register');
    expect(page.status).toBe(403);
    expect(visibleText(page.body)).toContain('Nobody can create an account on this server.');
    expect(elements(page.body, 'main form')).toEqual([]);
    expect((await visitor.post('/register', registerForm('closed@example.org'))).status).toBe(403);
    const answer = await registerByApi(visitor, 'closed@example.org');
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'SWITCHED_OFF' });
    expect(await storedIn(web.dataDir, 'users')).toEqual([]);
  });

  it.each(OFFERING)('%s offers none', async (at) => {
    const page = await web.visitor().get(at);
    expect(page.status).toBe(200);
    expect(linksToRegister(page.body)).toEqual([]);
  });

  it('the terminal still makes administrators, and there are no invitations', async () => {
    const admin = await web.admin();
    expect((await admin.get('/admin/dashboard/users/invite')).status).toBe(404);
    const { code, stderr } = await runCli(['admin', 'invite', 'a@example.org'], {
      env: { DATA_DIR: web.dataDir, SIGN_UP: 'closed' },
    });
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('SIGN_UP=invite')]);
    expect(code).not.toBe(0);
  });
});

describe('with SIGN_UP=invite', () => {
  const web = useOwnWeb({ SIGN_UP: 'invite', APP_URL: 'http://localhost:3000' });
  const env = () => ({ DATA_DIR: web.dataDir, SIGN_UP: 'invite', APP_URL: 'http://localhost:3000' });
  const pathOf = (link: string) => link.slice(link.indexOf('/register'));

  /** The path of a new invitation's link, as the terminal prints it. */
  async function invited(email: string): Promise<string> {
    const { code, stdout, stderr } = await runCli(['admin', 'invite', email], { env: env() });
    expect(code, stderr).toBe(0);
    return pathOf(stdout.trim());
  }
  const tokenOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('invite') ?? '';

  it.each(OFFERING)('%s offers no account to whoever has no invitation', async (at) => {
    expect(linksToRegister((await web.visitor().get(at)).body)).toEqual([]);
  });

  it('nobody creates an account without an invitation', async () => {
    const visitor = web.visitor();
    const page = await visitor.get('/register');
    expect(page.status).toBe(403);
    expect(visibleText(page.body)).toContain('You need an invitation');
    const inputs: { invite: string }[][] = [[], [{ invite: 'x' }], [{ invite: 'A'.repeat(43) }]];
    for (const [more = {}] of inputs) {
      expect((await visitor.post('/register', registerForm('no@example.org', more))).status).toBe(403);
      expect((await registerByApi(visitor, 'no@example.org', more)).status).toBe(403);
    }
  });

  it('an invitation from the terminal opens the form for its address, once', async () => {
    const path = await invited('ada@example.org');
    const visitor = web.visitor();
    const page = await visitor.get(path);
    expect(page.status).toBe(200);
    const [email] = elements<HTMLInputElement>(page.body, 'input[name="email"]');
    expect([email?.getAttribute('value'), email?.hasAttribute('readonly')]).toEqual([
      'ada@example.org',
      true,
    ]);
    const invite = tokenOf(path);
    const other = await visitor.post(path, registerForm('eve@example.org', { invite }));
    expect(other.status).toBe(400);
    expect(visibleText(other.body)).toContain('This invitation is for another email address');
    expect((await visitor.post(path, registerForm('ada@example.org', { invite }))).status).toBe(302);
    const again = await web.visitor().get(path);
    expect(again.status).toBe(403);
    expect(visibleText(again.body)).toContain('This invitation was used or has expired');
    const stored = JSON.stringify(await storedIn(web.dataDir, 'one_time_secrets'));
    expect(stored).not.toContain(invite);
    const actions = (await storedIn(web.dataDir, 'audit')).map((row) => String(row['action']));
    expect(actions).toContain('account.invite');
    expect(actions).toContain('account.accept-invitation');
  });

  it('of two people who use one invitation at once, one gets an account', async () => {
    const invite = tokenOf(await invited('both@example.org'));
    const answers = await Promise.all(
      [1, 2].map(() => registerByApi(web.visitor(), 'both@example.org', { invite })),
    );
    expect(answers.map(({ status }) => status === 201).filter(Boolean)).toHaveLength(1);
  });

  it('an administrator makes one on a page, which shows its link', async () => {
    const admin = await web.admin();
    expect(
      elements((await admin.get('/admin/dashboard/users')).body, 'a[href="/admin/dashboard/users/invite"]'),
    ).toHaveLength(1);
    const made = await admin.post('/admin/dashboard/users/invite', { email: 'grace@example.org' });
    expect(made.status).toBe(200);
    const link = /http:\/\/localhost:3000(\/register\?invite=[\w-]{43})/.exec(visibleText(made.body));
    expect((await web.visitor().get(link?.[1] ?? '')).status).toBe(200);
    const taken = await admin.post('/admin/dashboard/users/invite', { email: admin.email });
    expect(taken.status).toBe(409);
    const user = web.visitor();
    await user.post('/register', registerForm('grace@example.org', { invite: tokenOf(link?.[1] ?? '') }));
    expect((await user.post('/admin/dashboard/users/invite', { email: 'x@example.org' })).status).toBe(302);
    expect((await user.post('/login', { email: 'grace@example.org', password: PASSWORD })).status).toBe(302);
  });
});
