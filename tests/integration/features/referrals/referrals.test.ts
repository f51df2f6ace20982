import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FirstPayment } from '#app/domain/billing/billing-state.ts';
import { getAccount } from '#app/features/accounts/profile.server.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import {
  endAllCredit,
  applyReferralPayment,
  beginReferral,
  referralPlace,
  getReferrals,
  createReferralCode,
} from '#app/features/referrals/referrals.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { brokenAt, withConflicts } from '#tests/support/acts.ts';
import { openTestDatabase, TERMINAL, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson, PASSWORD, type Person } from '#tests/support/people.ts';

const DAY = 86_400_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
});
afterAll(() => db.dispose());

const idOf = ({ signedIn }: Person) => signedIn.user.id;
const inDays = (days: number) => new Date(db.clock.now().getTime() + days * DAY);
const creditOf = async (person: Person) =>
  (await db.repos.users.find(idOf(person)))?.creditUntil?.toISOString() ?? null;
const pay = (person: Person, payment: FirstPayment = 'made') =>
  applyReferralPayment(db.ctx(), idOf(person), payment);

/** A user with a code, and one who registered with it. */
async function pair(name: string) {
  const referrer = await newPerson(db, `${name}@example.org`);
  const { code } = await createReferralCode(referrer.ctx);
  const referred = await newPerson(db, `${name}-friend@example.org`, { ref: code });
  return { referrer, referred, code };
}

describe('a referral code', () => {
  it('is created at registration, stays, and links to the registration page', async () => {
    const { ctx } = await newPerson(db, 'registers@example.org');
    const { invitation, ledger } = await getReferrals(ctx);
    expect(invitation?.link).toBe(`${db.settings.APP_URL}/register?ref=${invitation?.code}`);
    expect(invitation?.shareText).toContain(invitation?.link);
    expect(ledger).toEqual([]);
    expect(await createReferralCode(ctx)).toEqual(invitation);
  });

  it('is created once for an account without one, even with twenty requests at once', async () => {
    const email = 'terminal@example.org';
    await createAdmin(db.ctx(TERMINAL), { email, password: PASSWORD });
    const { token, user } = await signIn(db.ctx(), { email, password: PASSWORD });
    const ctx = await ctxOfToken(db, token);
    expect((await getReferrals(ctx)).invitation).toBeNull();
    const made = await Promise.all(Array.from({ length: 20 }, () => createReferralCode(ctx)));
    expect(new Set(made.map(({ code }) => code)).size).toBe(1);
    expect((await getReferrals(ctx)).invitation).toEqual(made[0]);
    const codes = testConnection(db).collection('referral_codes');
    expect(await codes.countDocuments({ userId: user.id })).toBe(1);
  });

  it('needs a sign-in', async () => {
    await expect(getReferrals(db.ctx())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(createReferralCode(db.ctx())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('registering with a code', () => {
  it('makes a pending referral that names nobody', async () => {
    const { referrer, code } = await pair('pending');
    const { ledger, totals } = await getReferrals(referrer.ctx);
    expect(ledger).toEqual([{ since: db.clock.now(), standing: 'pending', changedAt: null }]);
    expect(totals).toEqual({ pending: 1, credited: 0, reversed: 0 });
    expect(JSON.stringify(await getReferrals(referrer.ctx))).not.toContain('friend');
    expect(code).toHaveLength(8);
  });

  it('accepts the code however it was typed', async () => {
    const referrer = await newPerson(db, 'typed@example.org');
    const { code } = await createReferralCode(referrer.ctx);
    await newPerson(db, 'typist@example.org', {
      ref: ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `,
    });
    expect((await getReferrals(referrer.ctx)).totals.pending).toBe(1);
  });

  it.each(['NOBODYSX', '../../x', '<script>', "' or 1=1", 'A'.repeat(5000), '{"$gt":""}', '\u0000'])(
    'ignores %j and registers all the same',
    async (ref) => {
      const person = await newPerson(db, `hostile-${ref.length}-${ref.charCodeAt(0)}@example.org`, { ref });
      expect((await getAccount(person.ctx)).subscription).toBe('free');
      expect((await db.repos.users.find(idOf(person)))?.referredByCode).toBeNull();
      expect(await pay(person)).toEqual([]);
    },
  );
});

const creditMailsTo = async (email: string) =>
  (await db.mails()).filter(
    ({ to, subject }) => to === email && subject === '30 days of Premium for a referral',
  );

describe('the first payment of a referred account', () => {
  it('gives both accounts thirty days, and tells both', async () => {
    const { referrer, referred } = await pair('credited');
    expect(await pay(referred, 'none')).toEqual([]);
    expect(await creditOf(referrer)).toBeNull();
    const changed = await pay(referred);
    const until = inDays(30);
    expect(changed).toMatchObject([
      { userId: idOf(referrer), change: 'granted' },
      { userId: idOf(referred), change: 'granted' },
    ]);
    for (const person of [referrer, referred]) {
      expect(await creditOf(person)).toBe(until.toISOString());
      expect((await getAccount(person.ctx)).subscription).toBe('premium');
      expect(await creditMailsTo(person.email)).toHaveLength(1);
    }
    const view = await getReferrals(referrer.ctx);
    expect(view.totals).toEqual({ pending: 0, credited: 1, reversed: 0 });
    expect(view.creditUntil).toEqual(until);
  });

  it('credits once, even if reported fifty times at once and again later', async () => {
    const { referrer, referred } = await pair('parallel');
    const changes = (await Promise.all(Array.from({ length: 50 }, () => pay(referred)))).flat();
    expect(changes).toHaveLength(2);
    db.clock.advance(DAY);
    expect(await pay(referred)).toEqual([]);
    for (const person of [referrer, referred]) {
      expect(await creditOf(person)).toBe(inDays(29).toISOString());
      expect(await db.repos.users.findCredit(idOf(person))).toHaveLength(1);
      expect(await creditMailsTo(person.email)).toHaveLength(1);
    }
  });

  it('adds up when twelve friends pay at once', async () => {
    const referrer = await newPerson(db, 'popular@example.org');
    const { code } = await createReferralCode(referrer.ctx);
    const friends: Person[] = [];
    for (let count = 0; count < 12; count += 1)
      friends.push(await newPerson(db, `popular-${count}@example.org`, { ref: code }));
    await Promise.all(friends.map((friend) => pay(friend)));
    expect(await creditOf(referrer)).toBe(inDays(360).toISOString());
    expect((await getReferrals(referrer.ctx)).totals.credited).toBe(12);
  });

  it('loses its credit to a refund or dispute, once, except for used days', async () => {
    const { referrer, referred } = await pair('reversed');
    await pay(referred);
    db.clock.advance(10 * DAY);
    const changes = await Promise.all(Array.from({ length: 10 }, () => pay(referred, 'taken-back')));
    expect(changes.flat().map(({ change }) => change)).toEqual(['taken-back', 'taken-back']);
    for (const person of [referrer, referred]) {
      expect(await creditOf(person)).toBe(db.clock.now().toISOString());
      expect((await getAccount(person.ctx)).subscription).toBe('free');
    }
    expect(await pay(referred, 'made')).toEqual([]);
    expect((await getReferrals(referrer.ctx)).ledger).toMatchObject([
      { standing: 'reversed', changedAt: db.clock.now() },
    ]);
  });

  it('is never credited if it was taken back before', async () => {
    const { referrer, referred } = await pair('never');
    expect(await pay(referred, 'taken-back')).toEqual([]);
    expect(await pay(referred, 'made')).toEqual([]);
    expect(await creditOf(referrer)).toBeNull();
    expect((await getReferrals(referrer.ctx)).totals).toEqual({ pending: 0, credited: 0, reversed: 1 });
  });

  it('ends as taken back in whichever order twenty calls of both kinds arrive', async () => {
    const { referrer, referred } = await pair('disorder');
    const calls = Array.from({ length: 20 }, (_, index) => pay(referred, index % 2 ? 'taken-back' : 'made'));
    await Promise.all(calls);
    const until = await creditOf(referrer);
    expect(until === null || until <= db.clock.now().toISOString()).toBe(true);
    expect((await getReferrals(referrer.ctx)).totals).toEqual({ pending: 0, credited: 0, reversed: 1 });
  });

  it('credits both accounts and says so, or does nothing, wherever it breaks down', async () => {
    const { referrer, referred } = await pair('cut-off');
    const state = async () => [
      await creditOf(referrer),
      await creditOf(referred),
      (await getReferrals(referrer.ctx)).totals,
    ];
    const before = await state();
    let turn = 1;
    for (; ; turn += 1) {
      const { ctx, hasBroken } = brokenAt(db.ctx(), turn);
      const outcome = await applyReferralPayment(ctx, idOf(referred), 'made').catch(() => 'cut off');
      if (!hasBroken()) break;
      expect(outcome).toBe('cut off');
      expect(await state()).toEqual(before);
    }
    // The referral, its status, and reading, writing and telling for each of two accounts.
    expect(turn).toBeGreaterThan(8);
    const until = inDays(30).toISOString();
    expect(await state()).toEqual([until, until, { pending: 0, credited: 1, reversed: 0 }]);
  });

  it('is credited once if another change is in the way of the first attempt', async () => {
    const { referrer, referred } = await pair('in-the-way');
    const ctx = withConflicts(db.ctx());
    expect(await applyReferralPayment(ctx, idOf(referred), 'made')).toHaveLength(2);
    expect(await db.repos.users.findCredit(idOf(referrer))).toHaveLength(1);
    expect(await applyReferralPayment(ctx, idOf(referred), 'taken-back')).toHaveLength(2);
    expect(await creditOf(referrer)).toBe(db.clock.now().toISOString());
  });
});

describe('referral rules', () => {
  it('nobody can refer themselves: an account’s own code closes its place', async () => {
    const person = await newPerson(db, 'selfish@example.org');
    const { code } = await createReferralCode(person.ctx);
    const place = referralPlace(idOf(person));
    // Bypasses every check, directly at the store.
    const itself = { userId: idOf(person), code, grantId: 'x', createdAt: db.clock.now() };
    expect(await db.repos.referrals.begin(place, itself)).toBe(false);
    await testConnection(db)
      .collection('users')
      .updateOne({ _id: idOf(person) as never }, { $set: { referredByCode: code } });
    expect(await pay(person)).toEqual([]);
    expect(await creditOf(person)).toBeNull();
    expect((await getReferrals(person.ctx)).ledger).toEqual([]);
  });

  it('nobody can be referred twice', async () => {
    const { referrer, referred } = await pair('first-come');
    const late = await newPerson(db, 'late@example.org');
    const { code } = await createReferralCode(late.ctx);
    await beginReferral(db.ctx(), idOf(referred), { id: idOf(late), code });
    await pay(referred);
    expect(await creditOf(late)).toBeNull();
    expect(await creditOf(referrer)).not.toBeNull();
  });

  it('a referred account has its own code, and is credited for it', async () => {
    const { referred } = await pair('chain');
    expect((await getReferrals(referred.ctx)).invitation).not.toBeNull();
    expect(await pay(referred)).toHaveLength(2);
  });
});

describe('the end of all credit', () => {
  it('takes effect at once, and a later referral starts afresh', async () => {
    const { referrer, referred, code } = await pair('downgraded');
    await pay(referred);
    db.clock.advance(DAY);
    expect(await endAllCredit(db.ctx(TERMINAL), idOf(referrer))).toBe(true);
    expect(await endAllCredit(db.ctx(TERMINAL), idOf(referrer))).toBe(false);
    expect((await getAccount(referrer.ctx)).subscription).toBe('free');
    expect((await getReferrals(referrer.ctx)).creditUntil).toBeNull();
    const second = await newPerson(db, 'downgraded-second@example.org', { ref: code });
    await pay(second);
    expect(await creditOf(referrer)).toBe(inDays(30).toISOString());
  });
});
