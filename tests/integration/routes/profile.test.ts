import { describe, expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { elements, fieldError, fieldValue, tagWith, visibleText } from '#tests/support/html.ts';
import { useWeb } from './web.ts';

const web = useWeb();
const NEXT = 'green-lamp-82';

describe('the profile page', () => {
  it('saves name and zone without scripts, and keeps a rejected form', async () => {
    const person = await web.user();
    const saved = await person.post('/dashboard/profile', {
      name: 'Ada <b>Lovelace</b>',
      timeZone: 'Europe/Vienna',
      role: 'super_admin',
    });
    expect([saved.status, saved.location]).toEqual([302, '/dashboard/profile']);
    const page = await person.get('/dashboard/profile');
    expect(fieldValue(page.body, 'name')).toBe('Ada <b>Lovelace</b>');
    expect(fieldValue(page.body, 'timeZone')).toBe('Europe/Vienna');
    expect(tagWith(page.body, 'option', 'value', 'America/New York')['label']).toMatch(
      /^New York, UTC−0[45]:00$/,
    );
    expect(visibleText(page.body)).toContain('Profile saved');
    const refused = await person.post('/dashboard/profile', { name: 'Kept', timeZone: 'Mars/Olympus' });
    expect(refused.status).toBe(400);
    expect(fieldValue(refused.body, 'name')).toBe('Kept');
    expect(fieldError(refused.body, 'timeZone')).toBe('Choose a time zone from the list');
  });

  it('saves units and syringe on their own page, which shows what is wrong with them, and leaves the rest', async () => {
    const person = await web.user();
    const page = '/dashboard/profile/units';
    await person.post('/dashboard/profile', { name: 'Ada', timeZone: 'Europe/Vienna' });
    const form = { doseUnit: 'mcg', units: 'imperial', syringe: 'u40-1ml', deadSpaceMl: '0,05' };
    const refused = await person.post(page, { ...form, deadSpaceMl: '3' });
    expect(refused.status).toBe(400);
    expect(fieldError(refused.body, 'deadSpaceMl')).toBe('Dead space must be between 0 and 0.5 ml');
    expect(fieldValue(refused.body, 'units')).toBe('imperial');
    const saved = await person.post(page, form);
    expect([saved.status, saved.location]).toEqual([302, page]);
    const { body } = await person.get(page);
    expect(visibleText(body)).toContain('Units and syringe saved');
    for (const [name, value] of Object.entries({ ...form, deadSpaceMl: '0.05' }))
      expect(fieldValue(body, name), name).toBe(value);
    expect(fieldValue((await person.get('/dashboard/calculator')).body, 'desiredDoseUnit')).toBe('mcg');
    const query = await person.get('/dashboard/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25');
    expect(fieldValue(query.body, 'desiredDoseUnit')).not.toBe('mcg');
    // The first page's form has no units, so saving it changes none.
    await person.post('/dashboard/profile', { name: '', timeZone: 'Asia/Tokyo' });
    expect(fieldValue((await person.get(page)).body, 'syringe')).toBe('u40-1ml');
    const first = (await person.get('/dashboard/profile')).body;
    expect([fieldValue(first, 'name'), fieldValue(first, 'timeZone')]).toEqual([null, 'Asia/Tokyo']);
  });

  it('is a list of pages without scripts: what a person looks for is at most two links away', async () => {
    const person = await web.user();
    const linksOn = async (path: string) =>
      elements((await person.get(path)).body, 'main a').map((link) => link.getAttribute('href') ?? '');
    const near = await linksOn('/dashboard/profile');
    const parts = near.filter((path) => path.startsWith('/dashboard/profile/'));
    const far = (await Promise.all(parts.map(linksOn))).flat();
    expect(near).toEqual(
      expect.arrayContaining(['/dashboard/profile/units', '/dashboard/ceilings', '/upgrade']),
    );
    for (const path of [
      'password',
      'email',
      'second-factor',
      'passkeys/new',
      'tokens',
      'webhooks',
      'notifications/ntfy',
      'access-log',
      'data',
      'delete',
    ])
      expect(far).toContain(`/dashboard/profile/${path}`);
    expect(far).toEqual(expect.arrayContaining(['/dashboard/import', '/dashboard/proposals']));
  });

  it('changes the password, never echoes one, and signs other browsers out', async () => {
    const person = await web.user();
    const elsewhere = web.visitor();
    await elsewhere.post('/login', { email: person.email, password: PASSWORD });
    const wrong = { currentPassword: 'wrong-secret', newPassword: NEXT, confirmPassword: NEXT };
    const refused = await person.post('/dashboard/profile/password', wrong);
    expect(refused.status).toBe(400);
    expect(fieldError(refused.body, 'currentPassword')).toBe('This is not your current password');
    expect(refused.body).not.toMatch(/wrong-secret|green-lamp/);
    const device = person.cookies.get('vialbook_device');
    const changed = await person.post('/dashboard/profile/password', { ...wrong, currentPassword: PASSWORD });
    expect(changed.location).toBe('/dashboard/profile/security');
    // This browser stays known: the token is renewed with the password that it is bound to.
    expect(person.cookies.get('vialbook_device')).not.toBe(device);
    expect((await person.get('/dashboard/profile')).status).toBe(200);
    expect((await elsewhere.get('/dashboard')).location).toContain('/login');
    expect(web.server.output()).not.toMatch(/green-lamp|wrong-secret/);
  });

  it('lists sessions and ends another one after confirmation', async () => {
    const person = await web.user();
    const elsewhere = web.visitor();
    await elsewhere.request('/login', {
      method: 'POST',
      body: `email=${encodeURIComponent(person.email)}&password=${PASSWORD}`,
      headers: {
        origin: web.url,
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
    });
    const { body } = await person.get('/dashboard/profile/security');
    expect(visibleText(body)).toContain('Firefox on Linux');
    const end = body.match(/\/dashboard\/profile\/sessions\/[0-9a-f]+\/end/)?.[0] ?? '';
    expect(visibleText((await person.get(end)).body)).toContain('End this session?');
    expect((await (await web.user()).get(end)).status).toBe(404);
    expect((await (await web.user()).post(end)).status).toBe(404);
    expect((await elsewhere.get('/dashboard')).location).toBeNull();
    expect((await person.post(end)).location).toBe('/dashboard/profile/security');
    expect((await elsewhere.get('/dashboard')).location).toContain('/login');
    expect((await person.get(end)).status).toBe(404);
  });

  it('asks for the password again and continues only to paths of this site', async () => {
    const person = await web.user();
    const old = person.cookies.get('vialbook_session');
    const ask = (to: string) => `/dashboard/profile/confirm?redirectTo=${encodeURIComponent(to)}`;
    const { location } = await person.post(ask('/dashboard/export'), { password: PASSWORD });
    expect(location).toBe('/dashboard/export');
    expect(person.cookies.get('vialbook_session')).not.toBe(old);
    for (const hostile of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
    ]) {
      expect((await person.post(ask(hostile), { password: PASSWORD })).location).toBe('/dashboard/profile');
    }
  });

  it('requires a sign-in', async () => {
    for (const path of ['/dashboard/profile', '/dashboard/profile/password', '/dashboard/profile/confirm']) {
      expect((await web.visitor().get(path)).location, path).toBe(
        `/login?redirectTo=${encodeURIComponent(path)}`,
      );
      expect((await web.visitor().post(path, {})).location, path).toContain('/login');
    }
  });
});
