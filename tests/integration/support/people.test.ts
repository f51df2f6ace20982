import { expect, it } from 'vitest';
import { addressMark } from '#app/features/accounts/known-client.server.ts';
import { referralPlace } from '#app/features/referrals/referrals.server.ts';
import { hashToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, registerPerson, type Person } from '#tests/support/people.ts';

const EMAIL = 'somebody@example.org';

/** Everything stored about the only person of a database and what they hold, with names for what differs each time. */
async function traceOf(db: TestDatabase, { signedIn, ctx }: Person): Promise<unknown> {
  const { id } = signedIn.user;
  const user = await db.repos.users.find(id);
  const names = {
    '<token>': signedIn.token,
    '<token hash>': hashToken(signedIn.token),
    '<sign-in>': signedIn.session.id,
    '<place>': referralPlace(id),
    '<code>': user?.referralCode ?? '',
    '<hash>': (await db.repos.users.findPasswordHash(id)) ?? '',
    '<device>': signedIn.deviceToken,
    '<address>': addressMark(db.ctx(), id),
    '<id>': id,
  };
  const collections = (await testConnection(db).db?.collections()) ?? [];
  const rows = await Promise.all(
    collections.map(async (each) => [each.collectionName, await each.find({}).toArray()] as const),
  );
  // Counts of who tries how often are the registration's alone.
  const { throttles: _counts, account_standings: standings = [], ...others } = Object.fromEntries(rows);
  // An account is due to be counted at once, by the real clock.
  const kept = { ...others, standings: standings.map(({ checkAt: _at, ...row }) => row) };
  const text = JSON.stringify({ kept, signedIn, actor: ctx.actor, timeZone: ctx.timeZone });
  return JSON.parse(
    Object.entries(names).reduce((all, [name, value]) => all.replaceAll(value, name), text),
  ) as unknown;
}

it.each([{}, { plan: 'trial' as const }, { timeZone: 'Asia/Tokyo', plan: 'trial' as const }])(
  'a test person is stored like a registered one, with %o',
  async (more) => {
    const [quick, slow] = [await openTestDatabase(), await openTestDatabase()];
    const trace = await traceOf(quick, await newPerson(quick, EMAIL, more));
    expect(trace).toEqual(await traceOf(slow, await registerPerson(slow, EMAIL, more)));
    expect(JSON.stringify(trace)).toContain('<hash>');
    expect(JSON.stringify(trace)).toContain('<address>');
    await Promise.all([quick.dispose(), slow.dispose()]);
  },
);
