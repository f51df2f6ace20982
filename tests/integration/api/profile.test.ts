import { describe, expect, it } from 'vitest';
import { registration } from './client.ts';
import { useApi } from './world.ts';

const world = useApi();

describe('the profile by the API', () => {
  it('changes only the given fields', async () => {
    const person = await world.free();
    const first = await person.put('/api/profile', { name: 'Ada', timeZone: 'Europe/Vienna' });
    expect(first.body).toMatchObject({
      message: 'Profile saved',
      data: { user: { name: 'Ada', timeZone: 'Europe/Vienna', units: 'metric' } },
    });
    const second = await person.put('/api/profile', { name: '', units: 'imperial' });
    expect(second.body.data?.['user']).toMatchObject({
      name: null,
      timeZone: 'Europe/Vienna',
      units: 'imperial',
      deadSpaceMl: '0',
    });
    const third = await person.put('/api/profile', { deadSpaceMl: 0.05 });
    expect(third.body.data?.['user']).toMatchObject({ deadSpaceMl: '0.05', units: 'imperial' });
  });

  it.each([
    { role: 'admin' },
    { timeZone: 'Mars/Olympus' },
    { name: { $gt: '' } },
    { units: null },
    { deadSpaceMl: 0.51 },
  ])('refuses %j', async (body) => {
    const person = await world.free();
    expect((await person.put('/api/profile', body)).status).toBe(400);
    expect((await person.get('/api/auth/me')).body.data?.['user']).toMatchObject({
      role: 'user',
      timeZone: 'UTC',
    });
  });

  it('saves notification choices', async () => {
    const person = await world.free();
    await person.put('/api/profile/notifications', { email: true });
    const { body } = await person.get('/api/profile/notifications');
    expect(body.data?.['notifications']).toMatchObject({ email: true, inPage: true, missedAfterHours: 24 });
  });
});

describe('personal tokens by the API', () => {
  it('are created, used, listed with their last use, and revoked', async () => {
    const person = await world.free();
    const made = await person.post('/api/profile/tokens', { name: 'Cron', scope: 'read', life: 'never' });
    const { token, apiToken } = made.body.data as { token: string; apiToken: { id: string } };
    const script = world.nobody();
    script.token = token;
    expect((await script.get('/api/referrals')).status).toBe(200);
    expect((await script.put('/api/profile', { name: 'x' })).status).toBe(403);
    expect((await script.get('/api/profile/tokens')).status).toBe(403);
    const { body, text } = await person.get('/api/profile/tokens');
    expect(body.data?.['tokens']).toMatchObject([{ id: apiToken.id, name: 'Cron', expiresAt: null }]);
    expect(body.data?.['tokens']).not.toMatchObject([{ lastUsedAt: null }]);
    expect(text).not.toContain(token.slice(9));
    expect((await person.delete(`/api/profile/tokens/${apiToken.id}`)).status).toBe(200);
    expect((await script.get('/api/referrals')).status).toBe(401);
  });
});

describe('referrals by the API', () => {
  it('count who registered with the code, without naming them', async () => {
    const person = await world.free();
    const { body } = await person.get('/api/referrals');
    const { code } = body.data?.['invitation'] as { code: string };
    const friend = registration('a-friend@example.org', { ref: code });
    expect((await world.nobody().post('/api/auth/register', friend)).status).toBe(201);
    const later = await person.get('/api/referrals');
    expect(later.body.data).toMatchObject({
      totals: { pending: 1, credited: 0, reversed: 0 },
      referrals: [{ standing: 'pending', changedAt: null }],
      creditUntil: null,
    });
    expect(later.text).not.toContain('a-friend');
  });
});
