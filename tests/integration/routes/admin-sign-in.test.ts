import { expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { alerts, visibleText } from '#tests/support/html.ts';
import { useWeb } from './web.ts';

const web = useWeb();
const DENIED = 'Access denied. Admin privileges required.';

it('the admin sign-in shows its form with a back link, and lets an administrator in', async () => {
  const page = await web.visitor().get('/admin/login');
  expect(visibleText(page.body)).toContain('Sign in to Admin');
  expect(page.body).toContain('href="/"');
  expect(alerts(page.body)).toEqual([]);
  const admin = await web.admin();
  const home = visibleText((await admin.get('/admin/dashboard')).body);
  expect(home).toContain('Overview');
  expect(home).toContain(`Welcome, ${admin.email}`);
  expect(home).not.toContain('Super Admin');
  const top = await web.admin('super_admin');
  expect(visibleText((await top.get('/admin/dashboard')).body)).toContain('Super Admin');
});

it('the admin sign-in says "Access denied" to everyone else, and gives no session', async () => {
  const user = await web.user();
  const stranger = web.visitor();
  const answer = await stranger.post('/admin/login', { email: user.email, password: PASSWORD });
  expect(answer.status).toBe(403);
  expect(alerts(answer.body)).toEqual([DENIED]);
  expect(stranger.cookies.has('vialbook_session')).toBe(false);
  expect(answer.body).not.toContain(PASSWORD);
  const sent = await user.get('/admin/dashboard');
  const page = await user.get(sent.location ?? '');
  expect(alerts(page.body)).toEqual([DENIED]);
  expect((await user.get('/dashboard')).status).toBe(200);
});

it('the admin sign-in requires both fields, and does not reveal which emails exist', async () => {
  const empty = await web.visitor().post('/admin/login', {});
  expect(empty.status).toBe(400);
  expect(visibleText(empty.body)).toContain('Please fill in all fields');
  const { email } = await web.admin();
  for (const form of [
    { email, password: 'not-the-one' },
    { email: 'nobody@example.org', password: PASSWORD },
  ]) {
    const answer = await web.visitor().post('/admin/login', form);
    expect([answer.status, alerts(answer.body)]).toEqual([400, ['Invalid email or password']]);
  }
});

it('the admin sign-in continues to the requested page, and to no other site', async () => {
  const { email } = await web.admin();
  const target = '/admin/dashboard?from=mail';
  const visitor = web.visitor();
  const away = await visitor.get(target);
  expect(away.location).toBe(`/admin/login?redirectTo=${encodeURIComponent(target)}`);
  const form = { email, password: PASSWORD };
  expect((await visitor.post('/admin/login', { ...form, redirectTo: target })).location).toBe(target);
  const sly = await web.visitor().post('/admin/login', { ...form, redirectTo: '//evil.example' });
  expect(sly.location).toBe('/admin/dashboard');
});
