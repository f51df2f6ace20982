import { describe, expect, it } from 'vitest';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { alerts, fieldError, visibleText } from '#tests/support/html.ts';
import type { FormFields, WebClient } from './web-client.ts';
import { useWeb } from './web.ts';

const web = useWeb();
const PAGE = '/dashboard/profile/second-factor';

/** Sets a second factor up. @returns its secret and the recovery codes */
async function setUp(person: WebClient): Promise<{ secret: string; codes: string[]; usedAt: number }> {
  expect((await person.post(PAGE, { intent: 'begin' })).location).toBe(PAGE);
  const { body } = await person.get(PAGE);
  expect(body).toMatch(/<svg role="img" aria-label="QR code/);
  expect(body).not.toMatch(/style="/);
  const secret = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(body)?.[1]?.replaceAll(' ', '') ?? '';
  const usedAt = Date.now();
  const confirmed = await person.post(PAGE, {
    intent: 'confirm',
    code: oneTimeCode(secret, new Date(usedAt)),
  });
  expect([confirmed.status, confirmed.headers['cache-control']]).toEqual([200, 'no-store']);
  const codes = [...confirmed.body.matchAll(/<code>([0-9A-Z-]{19})<\/code>/g)].map(([, code = '']) => code);
  return { secret, codes, usedAt };
}

describe('two-step sign-in without scripts', () => {
  it('is set up, required at sign-in, and refuses a used code', async () => {
    const person = await web.user();
    const { secret, codes, usedAt } = await setUp(person);
    expect(codes).toHaveLength(10);
    expect((await person.get(PAGE)).body).not.toContain(codes[0]);

    const browser = web.visitor();
    const form = { email: person.email, password: PASSWORD, redirectTo: '/dashboard/export' };
    const first = await browser.post('/login', form);
    expect(first.location).toBe('/login/code?redirectTo=%2Fdashboard%2Fexport');
    expect(browser.cookies.has('vialbook_session')).toBe(false);
    expect((await browser.get('/dashboard')).location).toContain('/login');
    const page = first.location ?? '';
    expect((await browser.get(page)).status).toBe(200);
    const replayed = await browser.post(page, { code: oneTimeCode(secret, new Date(usedAt)) });
    expect(replayed.status).toBe(400);
    expect(fieldError(replayed.body, 'code')).toContain('This code is wrong or was already used.');
    const done = await browser.post(page, { code: codes[0] ?? '' });
    expect(done.location).toBe('/dashboard/export');
    expect((await browser.get('/dashboard')).status).toBe(200);
    expect(browser.cookies.has('vialbook_step')).toBe(false);
    expect(web.server.output()).not.toContain(secret);
  });

  it.each<[string, FormFields, number]>([
    ['nothing at all', {}, 400],
    ['an empty code', { intent: 'confirm', code: '' }, 400],
    ['a code without a setup', { intent: 'confirm', code: '123456' }, 409],
  ])('announces what is wrong with %s, and turns nothing on', async (_, fields, status) => {
    const person = await web.user();
    const answer = await person.post(PAGE, fields);
    expect(answer.status).toBe(status);
    expect(alerts(answer.body)).toEqual(['The setup has expired or was never started. Nothing was changed.']);
    expect((await person.get(PAGE)).body).toContain('value="begin"');
    await person.post(PAGE, { intent: 'begin' });
    const begun = await person.post(PAGE, fields);
    expect(begun.status).toBe(400);
    expect(alerts(begun.body)).toEqual(['Please fix the highlighted field']);
    expect(begun.body).toContain('<a href="#second-factor-code"');
    expect(fieldError(begun.body, 'code')).not.toBeNull();
  });

  it('sends visitors without a correct password back to the first step', async () => {
    const browser = web.visitor();
    expect((await browser.get('/login/code')).location).toBe('/login');
    expect((await browser.post('/login/code', { code: '123456' })).location).toBe('/login');
    browser.cookies.set('vialbook_step', 'ImZvcmdlZCI%3D');
    expect((await browser.post('/login/code', { code: '123456' })).location).toBe('/login');
  });

  it('continues only to paths of this site', async () => {
    const person = await web.user();
    const { codes } = await setUp(person);
    const browser = web.visitor();
    await browser.post('/login', { email: person.email, password: PASSWORD, redirectTo: '//evil.example' });
    const to = '/login/code?redirectTo=%2F%2Fevil.example';
    expect((await browser.post(to, { code: codes[1] ?? '' })).location).toBe('/dashboard');
  });

  it('is required with the password before a security change', async () => {
    const person = await web.user();
    const ask = '/dashboard/profile/confirm?redirectTo=%2Fdashboard%2Fexport';
    expect((await person.get(ask)).body).not.toContain('name="code"');
    const { codes } = await setUp(person);
    expect((await person.get(ask)).body).toContain('name="code"');
    const refused = await person.post(ask, { password: PASSWORD });
    expect([refused.status, fieldError(refused.body, 'code')]).toEqual([400, 'Enter the code']);
    const confirmed = await person.post(ask, { password: PASSWORD, code: codes[0] ?? '' });
    expect(confirmed.location).toBe('/dashboard/export');
  });

  it('is asked for on the form that changes the password, which keeps no secret', async () => {
    const person = await web.user();
    const form = '/dashboard/profile/password';
    expect((await person.get(form)).body).not.toContain('name="code"');
    const { codes } = await setUp(person);
    expect((await person.get(form)).body).toContain('name="code"');
    const fields = {
      currentPassword: PASSWORD,
      newPassword: 'green-lamp-82',
      confirmPassword: 'green-lamp-82',
    };
    const refused = await person.post(form, fields);
    expect([refused.status, fieldError(refused.body, 'code')]).toEqual([400, 'Enter the code']);
    expect(refused.body).not.toContain('green-lamp');
    expect((await person.post(form, { ...fields, code: codes[0] ?? '' })).location).toBe(
      '/dashboard/profile/security',
    );
  });

  it('is turned off after confirmation, with another code', async () => {
    const person = await web.user();
    const { secret, usedAt } = await setUp(person);
    expect(visibleText((await person.get(PAGE)).body)).toContain('You have 10 recovery codes left');
    expect(visibleText((await person.get(`${PAGE}/codes`)).body)).toContain('Create new recovery codes?');
    const renewed = await person.post(`${PAGE}/codes`);
    const fresh = /<code>([0-9A-Z-]{19})<\/code>/.exec(renewed.body)?.[1] ?? '';
    expect(visibleText((await person.get(`${PAGE}/off`)).body)).toContain('Turn off two-step sign-in?');
    const used = await person.post(`${PAGE}/off`, { code: oneTimeCode(secret, new Date(usedAt)) });
    expect([used.status, fieldError(used.body, 'code')]).toEqual([
      400,
      'This code is wrong or was already used. Wait for the next one.',
    ]);
    expect((await person.post(`${PAGE}/off`, { code: fresh })).location).toBe('/dashboard/profile/security');
    const login = await web.visitor().post('/login', { email: person.email, password: PASSWORD });
    expect(login.location).toBe('/dashboard');
  });
});
