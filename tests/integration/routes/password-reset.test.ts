import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSmtp, type SmtpHost } from '../integrations/smtp-host.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { startServer, type RunningServer } from '#tests/support/server.ts';
import { fieldError, visibleText } from '#tests/support/html.ts';
import { WebClient } from './web-client.ts';
import { defects, signUp } from './web.ts';

let smtp: SmtpHost;
let server: RunningServer;
beforeAll(async () => {
  smtp = await startSmtp();
  server = await startServer({ env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, LOG_LEVEL: 'info' } });
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  expect(defects(server.output())).toEqual([]);
  await smtp.close();
});

const NEXT = 'green-lamp-82';

/** What was mailed so far, soft line breaks mended; mails may arrive in any order. */
const mails = () => smtp.received.map(({ raw }) => raw.replace(/=\r?\n/g, '').replace(/=3D/g, '='));

/** The text of the mail that leads to a new password. */
async function resetMail(): Promise<string> {
  const find = () => mails().find((text) => text.includes('/reset-password/'));
  await expect.poll(find).toBeDefined();
  return find() ?? '';
}

describe('a forgotten password, with real mail and without scripts', () => {
  it('leads from the sign-in page to a new password', async () => {
    const browser = new WebClient(server.url);
    await signUp(new WebClient(server.url), 'forgot@example.org');
    expect((await browser.get('/login')).body).toContain('href="/forgot-password"');
    // A Host of somebody else's must not become the link's (6.4.3).
    const { location } = await browser.post(
      '/forgot-password',
      { email: ' Forgot@Example.org ' },
      { host: 'evil.example' },
    );
    const answer = visibleText((await browser.get(location ?? '')).body);
    expect(answer).toContain('If there is an account with this email address, we have sent a link to it.');
    const mail = await resetMail();
    expect(mail).not.toContain('evil.example');
    const link = new RegExp(`${server.url}(/reset-password/[A-Za-z0-9_-]+)`).exec(mail)?.[1] ?? '';
    expect((await browser.get(link)).status).toBe(200);
    const refused = await browser.post(link, { password: '12345', confirmPassword: '12345' });
    expect([refused.status, fieldError(refused.body, 'password')]).toEqual([
      400,
      'Password must be at least 6 characters',
    ]);
    expect((await browser.post(link, { password: NEXT, confirmPassword: NEXT })).location).toBe('/login');
    expect((await browser.post('/login', { email: 'forgot@example.org', password: PASSWORD })).status).toBe(
      400,
    );
    expect((await browser.post('/login', { email: 'forgot@example.org', password: NEXT })).location).toBe(
      '/dashboard',
    );
    const again = await browser.get(link);
    expect([
      again.status,
      visibleText(again.body).includes('This link has been used or has expired.'),
    ]).toEqual([404, true]);
    const token = link.split('/').at(-1) ?? 'none';
    expect(server.output()).not.toContain(token);
    expect(server.output()).toContain('/reset-password/[secret]');
  });

  it('gives the same status, headers and body for an unknown address', async () => {
    await signUp(new WebClient(server.url), 'same@example.org');
    const answers = await Promise.all(
      ['same@example.org', 'other@example.org'].map(async (email) => {
        const { status, location, headers } = await new WebClient(server.url).post('/forgot-password', {
          email,
        });
        const { date, 'x-request-id': id, ...rest } = headers;
        expect([date, id]).not.toContain(undefined);
        return { status, location, rest: { ...rest, 'content-security-policy': null } };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });
});
