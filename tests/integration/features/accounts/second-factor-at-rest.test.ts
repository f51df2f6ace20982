import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneTimeCode } from '#app/integrations/one-time-codes.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
} from '#app/features/accounts/second-factor.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson, PASSWORD } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const STEP = 30_000;
const factors = () => testConnection(db).collection<{ _id: string; secret: string }>('second_factors');
const storedOf = async (userId: string) => (await factors().findOne({ _id: userId }))?.secret ?? '';

async function newProtected(email: string) {
  const { ctx, signedIn } = await newPerson(db, email);
  await beginSecondFactor(ctx);
  const secret = (await getSecondFactor(ctx)).setup?.secret ?? '';
  const pending = await storedOf(signedIn.user.id);
  const recovery = await confirmSecondFactor(ctx, { code: oneTimeCode(secret, db.clock.now()) });
  db.clock.advance(STEP);
  const enter = (as: Ctx = db.ctx(), code = oneTimeCode(secret, db.clock.now())) =>
    codeOf(signIn(as, { email, password: PASSWORD, code }));
  return { id: signedIn.user.id, secret, pending, recovery, enter };
}

describe('the secret of an authenticator app at rest', () => {
  it('is encrypted, during setup and afterwards', async () => {
    const { id, secret, pending, enter } = await newProtected('sealed@example.org');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    for (const stored of [pending, await storedOf(id)]) {
      expect(stored).toMatch(/^sealed1\./);
      expect(stored).not.toContain(secret);
    }
    expect(await enter()).toBe('done');
  });

  it('from before encryption keeps working, and is encrypted at the next sign-in, not by a wrong code', async () => {
    const { id, secret, enter } = await newProtected('old@example.org');
    await factors().updateOne({ _id: id }, { $set: { secret } });
    expect(await enter(db.ctx(), '000000')).toBe('INVALID_INPUT');
    expect(await storedOf(id)).toBe(secret);
    expect(await enter()).toBe('done');
    expect(await storedOf(id)).toMatch(/^sealed1\./);
    db.clock.advance(STEP);
    expect(await enter()).toBe('done');
  });

  it('of another account does not work in its place', async () => {
    const mine = await newProtected('mine@example.org');
    const theirs = await newProtected('theirs@example.org');
    await factors().updateOne({ _id: mine.id }, { $set: { secret: await storedOf(theirs.id) } });
    const code = oneTimeCode(theirs.secret, db.clock.now());
    expect(await mine.enter(db.ctx(), code)).toBe('INVALID_INPUT');
  });

  it('cannot be read with another SESSION_SECRET: codes fail, recovery codes work', async () => {
    const { recovery, enter } = await newProtected('moved@example.org');
    const elsewhere = { ...db.ctx(), secret: 'a server that was set up anew, with its own secret' };
    expect(await enter(elsewhere)).toBe('INVALID_INPUT');
    expect(await enter(elsewhere, recovery[0])).toBe('done');
  });
});
