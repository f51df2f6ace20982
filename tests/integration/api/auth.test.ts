import { describe, expect, it } from 'vitest';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { registration } from './client.ts';
import { useApi } from './world.ts';

/** Signing in and out through the API. */
const world = useApi();

describe('registering', () => {
  it('returns a token that identifies the account', async () => {
    const api = world.nobody();
    const made = await api.post('/api/auth/register', registration('new@example.org'));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      success: true,
      data: { user: { email: 'new@example.org', role: 'user', subscription: 'free' } },
    });
    api.token = String(made.body.data?.['token']);
    expect((await api.get('/api/auth/me')).body.data).toEqual({ user: made.body.data?.['user'] });
  });

  it('starts the trial when asked', async () => {
    const form = registration('trial@example.org', { plan: 'trial' });
    const { body } = await world.nobody().post('/api/auth/register', form);
    expect(body.data?.['user']).toMatchObject({ subscriptionStatus: 'trial', trialDaysLeft: 14 });
  });

  it('reports missing values by field', async () => {
    const { status, body } = await world.nobody().post('/api/auth/register', { email: 'x', password: '123' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      error: 'INVALID_INPUT',
      fields: {
        email: ['Enter a valid email address'],
        password: ['Password must be at least 6 characters'],
        confirmPassword: ['Please fill in all fields'],
        agreeToTerms: ['You must agree to the Terms of Service'],
        ageVerification: ['You must be 18 or older to use this service'],
      },
    });
  });

  it('rejects an address that is already registered', async () => {
    const { email } = await world.free();
    const { status, body } = await world.nobody().post('/api/auth/register', registration(email));
    expect([status, body.error, body.message]).toEqual([
      400,
      'REGISTRATION_FAILED',
      'Registration failed. Please try again.',
    ]);
  });

  it.each(['role', 'subscription', 'subscriptionStatus', 'id', 'userId', 'creditUntil', 'suspendedAt'])(
    'cannot set %s',
    async (field) => {
      const form = registration(`mass-${field}@example.org`.toLowerCase(), { [field]: 'admin' });
      const { status, body } = await world.nobody().post('/api/auth/register', form);
      expect(status).toBe(400);
      expect(body.fields).toEqual({ [field]: ['Unknown field'] });
    },
  );
});

describe('signing in', () => {
  it('gives a token', async () => {
    const { email } = await world.free();
    const { status, body } = await world.nobody().post('/api/auth/login', { email, password: PASSWORD });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ user: { email } });
  });

  it('answers a wrong password and an unknown address alike', async () => {
    const { email } = await world.free();
    const answers = await Promise.all(
      [email, 'nobody@example.org'].map((who) =>
        world.nobody().post('/api/auth/login', { email: who, password: 'wrong-password' }),
      ),
    );
    for (const { status, text } of answers) {
      expect(status).toBe(401);
      expect(text).toBe(answers[0]?.text);
    }
    expect(answers[0]?.body).toMatchObject({
      error: 'INVALID_CREDENTIALS',
      message: 'Invalid email or password',
    });
  });

  it('asks an account with a second factor for its code', async () => {
    const person = await world.free();
    const secret = await world.protect(person);
    const credentials = { email: person.email, password: PASSWORD };
    const asked = await world.nobody().post('/api/auth/login', credentials);
    expect([asked.status, asked.body.error]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
    expect(asked.body.data).toBeUndefined();
    const wrong = await world.nobody().post('/api/auth/login', { ...credentials, code: '000000' });
    expect([wrong.status, Object.keys(wrong.body.fields ?? {})]).toEqual([400, ['code']]);
    const code = oneTimeCode(secret, new Date(Date.now() + 30_000));
    const right = await world.nobody().post('/api/auth/login', { ...credentials, code });
    expect([right.status, typeof right.body.data?.['token']]).toEqual([200, 'string']);
  });

  it('works with an expired token in the header', async () => {
    const person = await world.free();
    await person.post('/api/auth/logout');
    const again = await person.post('/api/auth/login', { email: person.email, password: PASSWORD });
    expect(again.status).toBe(200);
  });
});

describe('a token', () => {
  it('is exchanged for a new one, and the old one stops working', async () => {
    const person = await world.free();
    const old = person.token;
    const { body } = await person.post('/api/auth/refresh');
    expect((await person.get('/api/auth/me')).status).toBe(401);
    person.token = String(body.data?.['token']);
    expect(person.token).not.toBe(old);
    expect((await person.get('/api/auth/me')).status).toBe(200);
  });

  it('keeps a free account’s calculations when it is exchanged, and loses them at sign-out', async () => {
    const person = await world.free();
    await person.post('/api/calculations', { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25 });
    const { body } = await person.post('/api/auth/refresh');
    person.token = String(body.data?.['token']);
    expect((await person.get('/api/calculations')).body.data).toMatchObject({ total: 1 });
    await person.post('/api/auth/logout');
    const again = await person.post('/api/auth/login', { email: person.email, password: PASSWORD });
    person.token = String(again.body.data?.['token']);
    expect((await person.get('/api/calculations')).body.data).toMatchObject({ total: 0 });
  });

  it.each(['x', '', 'Bearer', 'a'.repeat(43), `vial_${'a'.repeat(43)}`, 'a b', '{"$gt":""}'])(
    '"%s" opens nothing',
    async (token) => {
      const headers = { authorization: `Bearer ${token}` };
      const {
        status,
        body,
        headers: answerHeaders,
      } = await world.nobody().call('GET', '/api/auth/me', { headers });
      expect([status, body.error]).toEqual([401, 'UNAUTHENTICATED']);
      expect(answerHeaders.get('www-authenticate')).toMatch(/^Bearer/);
    },
  );

  it('of a suspended account is rejected with SUSPENDED', async () => {
    const { status, body } = await (await world.suspended()).get('/api/auth/me');
    expect([status, body.error, body.message]).toEqual([
      403,
      'SUSPENDED',
      'This account is suspended. Contact support.',
    ]);
  });
});

describe('a new password', () => {
  const change = {
    currentPassword: PASSWORD,
    newPassword: 'green-lantern-12',
    confirmPassword: 'green-lantern-12',
  };

  it('ends the other sessions and keeps this one', async () => {
    const person = await world.free();
    const elsewhere = world.nobody();
    const { body } = await elsewhere.post('/api/auth/login', { email: person.email, password: PASSWORD });
    elsewhere.token = String(body.data?.['token']);
    expect((await person.post('/api/auth/change-password', change)).body).toEqual({
      success: true,
      data: {},
      message: 'Password changed',
    });
    expect((await elsewhere.get('/api/auth/me')).status).toBe(401);
    expect((await person.get('/api/auth/me')).status).toBe(200);
  });

  it('requires the old password', async () => {
    const wrong = { ...change, currentPassword: 'not-this-one' };
    const { status, body } = await (await world.free()).post('/api/auth/change-password', wrong);
    expect([status, body.fields]).toEqual([400, { currentPassword: ['This is not your current password'] }]);
  });
});

describe('a personal token', () => {
  it('can read or write, depending on its scope', async () => {
    const person = await world.premium();
    const [reader, writer] = [await world.tokenOf(person, 'read'), await world.tokenOf(person, 'write')];
    const calculation = { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25 };
    const refused = await reader.post('/api/calculations', calculation);
    expect([refused.status, refused.body.message]).toEqual([403, 'This token has read access only.']);
    expect((await writer.post('/api/calculations', calculation)).status).toBe(201);
    expect((await reader.get('/api/calculations')).body.data).toMatchObject({ total: 1 });
  });

  it('is not a session: it cannot be renewed, change a password or end anything', async () => {
    const token = await world.tokenOf(await world.premium(), 'write');
    for (const path of ['refresh', 'logout', 'change-password'])
      expect((await token.post(`/api/auth/${path}`)).status, path).toBe(403);
    expect((await token.get('/api/auth/me')).status).toBe(200);
  });

  it('of a free account has no session, so it sees and saves no calculations, and says so', async () => {
    const person = await world.free();
    const calculation = { peptideAmount: 5, waterVolume: 2, desiredDose: 0.25 };
    await person.post('/api/calculations', calculation);
    const token = await world.tokenOf(person, 'write');
    const { body } = await token.get('/api/calculations');
    expect(body.data).toMatchObject({ calculations: [], total: 0 });
    expect(body.message).toContain('sign-in session');
    const refused = await token.post('/api/calculations', calculation);
    expect([refused.status, refused.body.error]).toEqual([402, 'PREMIUM_REQUIRED']);
  });

  it('does not work as a cookie', async () => {
    const token = await world.tokenOf(await world.premium(), 'read');
    const cookie = Buffer.from(JSON.stringify(token.token)).toString('base64');
    const headers = { cookie: `vialbook_session=${cookie}` };
    expect((await world.nobody().call('GET', '/api/auth/me', { headers })).status).toBe(401);
  });
});
