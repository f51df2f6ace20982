import { describe, expect, it } from 'vitest';
import { fieldError, visibleText } from '#tests/support/html.ts';
import { useWeb } from './web.ts';

const web = useWeb();

describe('deleting an account without scripts', () => {
  it('asks for the address, waits 48 hours, and is cancelled with one button', async () => {
    const person = await web.user();
    const profile = await person.get('/dashboard/profile/your-data');
    expect(profile.body).toContain('href="/dashboard/profile/delete"');
    const refused = await person.post('/dashboard/profile/delete', { email: 'deleter@example.org' });
    expect(refused.status).toBe(400);
    expect(fieldError(refused.body, 'email')).toBe('This is not the email address of this account');
    const asked = await person.post('/dashboard/profile/delete', { email: person.email });
    expect([asked.status, asked.location]).toEqual([302, '/dashboard/profile']);
    expect(visibleText((await person.get('/dashboard/profile')).body)).toContain(
      'This account will be deleted on',
    );
    expect(visibleText((await person.get('/dashboard/profile/delete')).body)).toContain('Keep the account');
    expect((await person.get('/dashboard/profile/keep')).location).toBe('/dashboard/profile');
    expect((await person.post('/dashboard/profile/keep')).location).toBe('/dashboard/profile');
    expect((await person.post('/dashboard/profile/keep')).status).toBe(409);
    const log = visibleText((await person.get('/dashboard/profile/access-log')).body);
    expect(log).toMatch(/Account deletion cancelled You .* Account deletion requested You/);
  });

  it('offers everything as one file, which is never cached', async () => {
    const person = await web.user();
    const { status, headers, body } = await person.get('/dashboard/profile/data');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="vialbook-data-\d{4}-\d{2}-\d{2}\.json"$/,
    );
    const { collections } = JSON.parse(body) as { collections: { users: { email: string }[] } };
    expect(collections.users.map(({ email }) => email)).toEqual([person.email]);
    expect((await web.visitor().get('/dashboard/profile/data')).location).toContain('/login');
  });
});
