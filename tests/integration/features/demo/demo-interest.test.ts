import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepDemoInterest } from '#app/features/demo/demo.server.ts';
import { register } from '#app/features/accounts/registration.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { registration } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

describe('interest in the demo', () => {
  it('is stored once, with the time of the first request', async () => {
    const first = db.clock.now();
    await Promise.all([1, 2, 3, 4].map(() => keepDemoInterest(db.ctx(), { email: 'Ada@Example.org ' })));
    db.clock.advance(1000);
    await keepDemoInterest(db.ctx(), { email: 'ada@example.org' });
    const rows = await testConnection(db).collection('demo_interest').find().toArray();
    expect(rows).toEqual([{ _id: 'ada@example.org', createdAt: first }]);
  });

  it.each(['', 'no address', 'a@b', { $gt: '' }, ['a@example.org'], null])('refuses %j', async (email) => {
    await expect(keepDemoInterest(db.ctx(), { email: email as string })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('is limited per client', async () => {
    const from = (address: string) => db.ctx(undefined, { address });
    const codes: string[] = [];
    for (let count = 0; count < 22; count += 1) {
      const call = keepDemoInterest(from('203.0.113.4'), { email: `p${count}@example.org` });
      codes.push(
        await call.then(
          () => 'kept',
          (error: { code: string }) => error.code,
        ),
      );
    }
    expect(codes.filter((code) => code === 'kept')).toHaveLength(20);
    expect(codes.slice(20)).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
    await keepDemoInterest(from('203.0.113.5'), { email: 'other@example.org' });
  });
});

describe('registration', () => {
  it('is limited to 60 per client and hour', async () => {
    const ctx = db.ctx(undefined, { address: '203.0.113.60' });
    const results = await Promise.allSettled(
      Array.from({ length: 63 }, (_, index) => register(ctx, registration(`crowd-${index}@example.org`))),
    );
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as { code: string }] : [],
    );
    expect(refused.map(({ code }) => code)).toEqual(['RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED']);
  });
});
