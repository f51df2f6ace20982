import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeUser } from '#app/features/admin/users/user-changes.server.ts';
import { readAccessLog } from '#app/features/accounts/access-log.server.ts';
import { scheduleDeletion } from '#app/features/accounts/account-deletion.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import { adminStats } from '#app/features/admin/overview.server.ts';
import {
  createApiToken,
  getApiToken,
  listApiTokens,
  resolveApiToken,
  revokeApiToken,
} from '#app/features/accounts/api-tokens.server.ts';
import {
  changePassword,
  askForPasswordReset,
  resetPassword,
} from '#app/features/accounts/password-change.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, PASSWORD, type Person } from '#tests/support/people.ts';

const DAY = 86_400_000;
const READ = { name: 'Home server', scope: 'read', life: '90' } as const;

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const opens = async (secret: string) => (await resolveApiToken(db.ctx(), secret)) !== null;

async function withToken(email: string) {
  const person = await newPerson(db, email);
  return { ...person, ...(await createApiToken(person.ctx, READ)) };
}

async function later({ email }: Pick<Person, 'email'>) {
  return ctxOfToken(db, (await signIn(db.ctx(), { email, password: PASSWORD })).token);
}

describe('a personal token', () => {
  it('acts for its owner with its scope, and is not listed as a session', async () => {
    const { ctx, email, signedIn, secret, token } = await withToken('owner@example.org');
    const { actor } = (await resolveApiToken(db.ctx(), secret)) ?? expect.unreachable('it opens nothing');
    expect(actor).toMatchObject({
      id: signedIn.user.id,
      email,
      apiToken: { id: token.id, scope: 'read' },
      entitlement: { isPremium: false },
    });
    expect(secret).toMatch(/^vialbook_[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(await listApiTokens(ctx))).not.toContain(secret.slice(9));
    const stored = await testConnection(db).collection('api_tokens').find().toArray();
    expect(JSON.stringify(stored)).not.toContain(secret.slice(9));
  });

  it('is reported to its owner by mail and in the access log, without the secret', async () => {
    const { ctx, email, secret, token } = await withToken('told@example.org');
    const mail = (await db.mails()).findLast(({ to }) => to === email);
    expect(mail?.subject).toBe('An API token was created');
    expect(mail?.text).toContain('Home server');
    expect(mail?.text).toContain('can read your data');
    expect(mail?.text).not.toContain(secret.slice(9));
    db.clock.advance(1_000);
    await revokeApiToken(ctx, token.id);
    const { entries } = await readAccessLog(ctx);
    expect(entries.map(({ what }) => what)).toEqual(['API token revoked', 'API token created']);
  });

  it('records when it was last used, to the minute', async () => {
    const { ctx, secret, token } = await withToken('used@example.org');
    expect(token.lastUsedAt).toBeNull();
    const first = db.clock.now();
    await resolveApiToken(db.ctx(), secret);
    db.clock.advance(59_000);
    await resolveApiToken(db.ctx(), secret);
    expect((await getApiToken(ctx, token.id)).lastUsedAt).toEqual(first);
    db.clock.advance(1_000);
    await resolveApiToken(db.ctx(), secret);
    expect((await getApiToken(ctx, token.id)).lastUsedAt).toEqual(db.clock.now());
  });

  it('stops working when it expires, and is listed as expired', async () => {
    const { email, secret, token } = await withToken('expires@example.org');
    db.clock.advance(90 * DAY - 1);
    expect(await opens(secret)).toBe(true);
    db.clock.advance(1);
    expect(await opens(secret)).toBe(false);
    const ctx = await later({ email });
    expect(await listApiTokens(ctx)).toMatchObject([{ id: token.id, isOver: true }]);
    const { secret: endless } = await createApiToken(ctx, { ...READ, life: 'never' });
    db.clock.advance(3650 * DAY);
    expect(await opens(endless)).toBe(true);
  });

  it('stops working once revoked, and cannot be revoked twice', async () => {
    const { ctx, secret, token } = await withToken('revokes@example.org');
    await revokeApiToken(ctx, token.id);
    expect(await opens(secret)).toBe(false);
    expect(await codeOf(revokeApiToken(ctx, token.id))).toBe('NOT_FOUND');
  });

  it('can be seen and revoked by nobody else', async () => {
    const { secret, token } = await withToken('mine@example.org');
    const other = await newPerson(db, 'not-mine@example.org');
    expect(await codeOf(getApiToken(other.ctx, token.id))).toBe('NOT_FOUND');
    expect(await codeOf(revokeApiToken(other.ctx, token.id))).toBe('NOT_FOUND');
    expect(await opens(secret)).toBe(true);
  });

  it('gives no access if forged, truncated or of another kind', async () => {
    const { secret, signedIn } = await withToken('forged@example.org');
    const hash = (await testConnection(db).collection('api_tokens').findOne())?._id;
    const flipped = secret.slice(0, -2) + (secret.endsWith('AA') ? 'BB' : 'AA');
    const wrong = ['', 'vialbook_', secret.slice(9), flipped, `${secret} `, `vialbook_${String(hash)}`];
    for (const text of [...wrong, signedIn.token, `vialbook_${signedIn.token}`, 'x'.repeat(10_000)])
      expect(await opens(text), text.slice(0, 60)).toBe(false);
    expect(await resolveApiToken(db.ctx(), null)).toBeNull();
    expect(await resolveSession(db.ctx(), secret)).toBeNull();
  });
});

describe('creating an API token', () => {
  it('needs a recent sign-in', async () => {
    const { signedIn } = await newPerson(db, 'stale@example.org');
    db.clock.advance(15 * 60_000);
    const ctx = await ctxOfToken(db, signedIn.token);
    expect(await codeOf(createApiToken(ctx, READ))).toBe('RECENT_SIGN_IN_REQUIRED');
    expect(await listApiTokens(ctx)).toEqual([]);
  });

  it('allows twenty of thirty at once, and one more after one is revoked', async () => {
    const { ctx } = await newPerson(db, 'greedy@example.org');
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) => codeOf(createApiToken(ctx, { ...READ, name: `n${index}` }))),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(20);
    expect(new Set(outcomes)).toEqual(new Set(['done', 'LIMIT_REACHED']));
    const tokens = await listApiTokens(ctx);
    expect(tokens).toHaveLength(20);
    await revokeApiToken(ctx, tokens[7]?.id ?? '');
    expect(await codeOf(createApiToken(ctx, READ))).toBe('done');
    expect(await codeOf(createApiToken(ctx, READ))).toBe('LIMIT_REACHED');
  });

  it('is impossible with a token, whose sign-in is never recent', async () => {
    const { secret, token, email } = await withToken('breeder@example.org');
    const { actor } = (await resolveApiToken(db.ctx(), secret)) ?? expect.unreachable('it opens nothing');
    const ctx = db.ctx(actor);
    expect(await codeOf(createApiToken(ctx, READ))).toBe('FORBIDDEN');
    expect(await codeOf(revokeApiToken(ctx, token.id))).toBe('FORBIDDEN');
    expect(await codeOf(scheduleDeletion(ctx, { email }))).toBe('RECENT_SIGN_IN_REQUIRED');
    expect(await codeOf(createApiToken(db.ctx(), READ))).toBe('UNAUTHENTICATED');
  });
});

describe('API tokens', () => {
  it('of an administrator give no access to the admin area', async () => {
    const email = 'boss@example.org';
    await createAdmin(db.ctx(TERMINAL), { email, password: PASSWORD });
    const ctx = await later({ email });
    expect(await codeOf(adminStats(ctx))).toBe('done');
    const { secret } = await createApiToken(ctx, { ...READ, scope: 'write' });
    const { actor } = (await resolveApiToken(db.ctx(), secret)) ?? expect.unreachable('it opens nothing');
    expect(await codeOf(adminStats(db.ctx(actor)))).toBe('FORBIDDEN');
  });

  it('keep working when the password is changed', async () => {
    const { ctx, secret } = await withToken('changes@example.org');
    const [newPassword, currentPassword] = ['green-lamp-82', PASSWORD];
    await changePassword(ctx, { currentPassword, newPassword, confirmPassword: newPassword });
    expect(await opens(secret)).toBe(true);
  });

  it('all end when the password is reset by mail', async () => {
    const { email, secret } = await withToken('resets@example.org');
    await askForPasswordReset(db.ctx(), { email });
    const mail = (await db.mails()).findLast(({ to }) => to === email);
    const link = /reset-password\/([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    await resetPassword(db.ctx(), link, { password: 'green-lamp-82', confirmPassword: 'green-lamp-82' });
    expect(await opens(secret)).toBe(false);
  });

  it('report the suspension of their account until it is reinstated', async () => {
    const { email, secret } = await withToken('suspended@example.org');
    await changeUser(db.ctx(TERMINAL), 'suspend', { reason: 'test', email });
    expect(await codeOf(resolveApiToken(db.ctx(), secret))).toBe('SUSPENDED');
    await changeUser(db.ctx(TERMINAL), 'reinstate', { reason: 'test', email });
    expect(await opens(secret)).toBe(true);
  });

  it('stop working when the account’s deletion is due, deleted already or not', async () => {
    const { ctx, email, secret } = await withToken('leaves@example.org');
    await scheduleDeletion(ctx, { email });
    expect(await opens(secret)).toBe(true);
    db.clock.advance(48 * 3_600_000);
    expect(await opens(secret)).toBe(false);
  });
});
