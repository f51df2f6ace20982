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
      deadSpaceMl: 0,
    });
    const third = await person.put('/api/profile', { deadSpaceMl: 0.05 });
    expect(third.body.data?.['user']).toMatchObject({ deadSpaceMl: 0.05, units: 'imperial' });
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

  it('has syringes of its owner, which calculations and ladders take by their id', async () => {
    const person = await world.premium();
    const blue = { name: 'Blue', barrelMl: 0.7, unitsPerMl: 40, mark: '0.5' };
    const put = (body: object) => person.put('/api/profile', body);
    const { body } = await put({ syringes: [blue] });
    const { syringes } = body.data?.['user'] as { syringes: { id: string }[] };
    const [{ id } = { id: '' }] = syringes;
    expect(syringes).toEqual([{ id, name: 'Blue', barrelMl: 0.7, unitsPerMl: 40, mark: 0.5 }]);
    expect((await put({ syringes })).body.data?.['user']).toMatchObject({ syringes });
    expect((await put({ syringe: id })).body.data?.['user']).toMatchObject({ syringe: id });

    const calculation = { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25, syringe: id };
    const saved = await person.post('/api/calculations', calculation);
    expect([saved.status, saved.body.data?.['calculation']]).toEqual([
      201,
      expect.objectContaining({ syringe: id, unitsText: '4' }),
    ]);
    const ladder = { peptideAmount: 5, doses: [0.25], syringe: id };
    expect((await person.post('/api/calculations/ladder', ladder)).status).toBe(200);
    for (const path of ['/api/calculations', '/api/calculations/ladder'])
      expect((await (await world.premium()).post(path, { ...calculation, doses: [0.25] })).status).toBe(400);

    const measures = { ...blue, id, unitsPerMl: null, mark: 0.01 };
    expect((await put({ syringes: [measures, { ...blue, name: 'Red' }] })).body.data?.['user']).toMatchObject(
      {
        syringe: id,
        syringes: [{ id, unitsPerMl: null, mark: 0.01 }, { name: 'Red' }],
      },
    );
    expect((await put({ syringes: [] })).body.data?.['user']).toMatchObject({
      syringe: 'u100-1ml',
      syringes: [],
    });
    const { body: list } = await person.get('/api/calculations');
    expect(list.data?.['calculations']).toMatchObject([{ syringe: id, unitsText: '4' }]);
    for (const refused of [
      { syringe: id },
      { syringes: [{ ...blue, id }] },
      { syringes: [blue, blue] },
      { syringes: [{ ...blue, mark: 3 }] },
    ])
      expect((await put(refused)).status, JSON.stringify(refused)).toBe(400);
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
