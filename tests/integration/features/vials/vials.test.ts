import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VialInput } from '#app/domain/vials/vial-schema.ts';
import { applyStockDraws, returnStockDraws } from '#app/features/vials/vial-writes.server.ts';
import {
  correctRemaining,
  discardVial,
  reconstituteVial,
  spillVial,
  addVial,
  deleteVial,
  getVial,
  updateVial,
} from '#app/features/vials/vials.server.ts';
import { openTestDatabase, TERMINAL, VISITOR, type TestDatabase } from '#tests/support/database.ts';
import { codeOf, fieldsOf } from '#tests/support/outcomes.ts';
import { ctxOfToken, newPerson, type Person } from '#tests/support/people.ts';
import { sized } from '#tests/support/size.ts';

let db: TestDatabase;
let people = 0;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const person = (more: { plan?: 'trial' } = { plan: 'trial' }) => {
  people += 1;
  return newPerson(db, `person-${people}@example.org`, more);
};
const input = (more: Partial<VialInput> = {}): VialInput => ({
  name: 'BPC-157',
  totalAmount: '5',
  waterMl: '2',
  reconstitutionDate: '2090-03-01',
  ...more,
});
const countOf = (who: Person) =>
  db.repos.vials.count(who.signedIn.user.id, { filter: 'active', search: '', day: '2090-03-10' });

describe('adding a vial', () => {
  it('stores what was entered as decimals and calendar days', async () => {
    const { ctx } = await person();
    const added = await addVial(
      ctx,
      input({ totalAmount: '05,00', waterMl: '2.0', cost: '39.90', currency: 'usd', name: '  BPC-157\n ' }),
    );
    expect(await getVial(ctx, added.id)).toMatchObject({
      name: 'BPC-157',
      status: 'reconstituted',
      totalAmount: '5',
      remaining: '5',
      waterMl: '2',
      concentration: null,
      cost: '39.9',
      currency: 'USD',
      reconstitutionDate: '2090-03-01',
    });
    expect(added.id).toMatch(/^vial_/);
  });

  it('accepts dry powder without a strength as a sealed vial', async () => {
    const { ctx } = await person();
    expect(await addVial(ctx, { name: 'TB-500', totalAmount: 5 as unknown as string })).toMatchObject({
      status: 'sealed',
      waterMl: null,
      concentration: null,
    });
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ totalAmount: '' }, 'totalAmount'],
    [{ totalAmount: '0' }, 'totalAmount'],
    [{ totalAmount: '-1' }, 'totalAmount'],
    [{ totalAmount: '1e3' }, 'totalAmount'],
    [{ totalAmount: '100000.1' }, 'totalAmount'],
    [{ waterMl: '0' }, 'waterMl'],
    [{ waterMl: '', concentration: '' }, 'waterMl'],
    [{ concentration: '3' }, 'concentration'],
    [{ waterMl: '', concentration: '0' }, 'concentration'],
    [{ amountMg: '4' }, 'amountMg'],
    [{ reconstitutionDate: '2090-02-30' }, 'reconstitutionDate'],
    [{ reconstitutionDate: 'yesterday' }, 'reconstitutionDate'],
    [{ reconstitutionDate: '0001-01-01' }, 'reconstitutionDate'],
    [{ expirationDate: '2090-02-28' }, 'expirationDate'],
    [{ cost: '-1' }, 'cost'],
    [{ currency: 'dollars' }, 'currency'],
    [{ supplierId: 'sup_of_somebody_else' }, 'supplierId'],
    [{ notes: 'x'.repeat(2001) }, 'notes'],
    [{ displacement: '1001' }, 'displacement'],
    [{ name: { $gt: '' } as unknown as string }, 'name'],
  ] as [Partial<VialInput>, string][])('refuses %j at its field', async (more, field) => {
    const { ctx } = await person();
    expect(Object.keys(await fieldsOf(addVial(ctx, input(more))))).toContain(field);
    expect(await codeOf(addVial(ctx, input(more)))).toBe('INVALID_INPUT');
  });

  it('accepts a rounded concentration together with the water', async () => {
    const { ctx } = await person();
    const third = await addVial(ctx, input({ waterMl: '3', concentration: '1.67' }));
    expect(third).toMatchObject({ waterMl: '3', concentration: null });
    for (const concentration of [5 / 3, '1.667', '1.6667'])
      expect(
        await codeOf(addVial(ctx, input({ waterMl: '3', concentration: concentration as string }))),
      ).toBe('done');
    for (const concentration of ['1.6', '1.7', '1.66', '2'])
      expect(await codeOf(addVial(ctx, input({ waterMl: '3', concentration })))).toBe('INVALID_INPUT');
  });

  it('adds one vial for a form submitted twice, even at the same time', async () => {
    const who = await person({});
    const vials = await Promise.all(
      Array.from({ length: 8 }, () => addVial(who.ctx, input(), { idempotencyKey: 'key-1' })),
    );
    expect(new Set(vials.map(({ id }) => id)).size).toBe(1);
    expect(await countOf(who)).toBe(1);
  });

  it('requires the strength over the API', async () => {
    const { ctx } = await person();
    expect(await fieldsOf(addVial(ctx, { name: 'X', totalAmount: '5' }, { strict: true }))).toHaveProperty(
      'concentration',
    );
  });

  it('needs a signed-in user or the terminal', async () => {
    const who = await person();
    expect(await codeOf(addVial(db.ctx(VISITOR), input()))).toBe('UNAUTHENTICATED');
    await addVial(db.ctx(TERMINAL), input(), { ownerEmail: who.email });
    expect(await countOf(who)).toBe(1);
    expect(await codeOf(addVial(db.ctx(TERMINAL), input(), { ownerEmail: 'nobody@example.org' }))).toBe(
      'NOT_FOUND',
    );
  });
});

describe('the free plan', () => {
  const MANY = sized(40, 100);

  it(`allows three active vials, even if ${MANY} are added at once`, async () => {
    const who = await person({});
    const outcomes = await Promise.all(Array.from({ length: MANY }, () => codeOf(addVial(who.ctx, input()))));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'PLAN_LIMIT')).toHaveLength(MANY - 3);
    expect(await countOf(who)).toBe(3);
    await expect(addVial(who.ctx, input())).rejects.toThrow(/free plan has room for 3 active vials/);
  });

  it('allows another vial when one is discarded, empty or deleted', async () => {
    const who = await person({});
    const vials = [];
    for (let count = 0; count < 3; count += 1) vials.push(await addVial(who.ctx, input()));
    const [first, second, third] = vials.map(({ id }) => id) as [string, string, string];
    await discardVial(who.ctx, first);
    expect(await codeOf(addVial(who.ctx, input()))).toBe('done');
    expect(await codeOf(addVial(who.ctx, input()))).toBe('PLAN_LIMIT');
    await correctRemaining(who.ctx, second, { remainingAmount: '0' });
    expect(await codeOf(addVial(who.ctx, input()))).toBe('done');
    // Correcting an empty vial cannot exceed the limit either.
    expect(await codeOf(correctRemaining(who.ctx, second, { remainingAmount: '1' }))).toBe('PLAN_LIMIT');
    expect(await codeOf(updateVial(who.ctx, second, { totalAmount: '9' }))).toBe('PLAN_LIMIT');
    await deleteVial(who.ctx, third);
    expect(await codeOf(correctRemaining(who.ctx, second, { remainingAmount: '1' }))).toBe('done');
    expect(await countOf(who)).toBe(3);
  });

  it('allows three after Premium has ended, even with concurrent requests', async () => {
    const { signedIn } = await person();
    const premium = await ctxOfToken(db, signedIn.token);
    const kept = [];
    for (let count = 0; count < 4; count += 1) kept.push(await addVial(premium, input()));
    await db.repos.userAdmin.revokePremium({ id: signedIn.user.id, adminRevision: null }, db.clock.now());
    const free = db.ctx({
      ...(premium.actor as Extract<typeof premium.actor, { kind: 'user' }>),
      entitlement: {
        isPremium: false,
        subscription: 'free',
        status: 'active',
        source: null,
        trialDaysLeft: null,
      },
    });
    // All can still be read and changed, but none can be added.
    for (const { id } of kept) await correctRemaining(free, id, { remainingAmount: '4' });
    expect(await codeOf(addVial(free, input()))).toBe('PLAN_LIMIT');
    await discardVial(free, kept[0]?.id ?? '');
    expect(await codeOf(addVial(free, input()))).toBe('PLAN_LIMIT');
    await discardVial(free, kept[1]?.id ?? '');
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => codeOf(addVial(free, input()))));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
  });

  it('does not prevent undoing a dose', async () => {
    const who = await person({});
    const ownerId = who.signedIn.user.id;
    const [{ id }] = [await addVial(who.ctx, input())];
    const move = { key: 'dose:1', draws: [{ compoundId: id, mg: '5' }], at: db.clock.now() };
    await applyStockDraws(who.ctx, ownerId, move);
    for (let count = 0; count < 3; count += 1) await addVial(who.ctx, input());
    await returnStockDraws(who.ctx, ownerId, move);
    expect(await countOf(who)).toBe(4);
    expect(await codeOf(addVial(who.ctx, input()))).toBe('PLAN_LIMIT');
  });
});

describe('changing a vial', () => {
  it('updates only the fields that are sent', async () => {
    const { ctx } = await person();
    const added = await addVial(ctx, input({ notes: 'kept', lot: 'A1', cost: '10' }));
    const changed = await updateVial(ctx, added.id, { name: 'TB-500', lot: null, cost: '' });
    const later = { updatedAt: expect.any(Date) as Date };
    expect(changed).toEqual({ ...added, ...later, name: 'TB-500', lot: null, lotId: null, cost: null });
    expect(await getVial(ctx, added.id)).toEqual(changed);
  });

  it('keeps changes made elsewhere in the meantime', async () => {
    const { ctx } = await person();
    const { id } = await addVial(ctx, input());
    await Promise.all([
      updateVial(ctx, id, { notes: 'from here' }),
      updateVial(ctx, id, { lot: 'L2' }),
      correctRemaining(ctx, id, { remainingAmount: '3' }),
      updateVial(ctx, id, { storageTemp: '2–8 °C' }),
    ]);
    expect(await getVial(ctx, id)).toMatchObject({
      notes: 'from here',
      lot: 'L2',
      remaining: '3',
      storageTemp: '2–8 °C',
    });
  });

  it('replaces the water by a concentration and the other way round', async () => {
    const { ctx } = await person();
    const { id } = await addVial(ctx, input());
    expect(await updateVial(ctx, id, { concentration: '3' })).toMatchObject({
      concentration: '3',
      waterMl: null,
    });
    expect(await updateVial(ctx, id, { waterMl: '1' })).toMatchObject({ concentration: null, waterMl: '1' });
    expect(await fieldsOf(updateVial(ctx, id, { waterMl: '1', concentration: '3' }))).toHaveProperty(
      'concentration',
    );
    expect(await fieldsOf(updateVial(ctx, id, { waterMl: null }))).toHaveProperty('waterMl');
  });

  it('adjusts the remaining amount to a new total, which cannot be less than was drawn', async () => {
    const { ctx } = await person();
    const { id } = await addVial(ctx, input());
    await correctRemaining(ctx, id, { remainingAmount: '2' });
    expect(await updateVial(ctx, id, { totalAmount: '10' })).toMatchObject({
      totalAmount: '10',
      remaining: '7',
    });
    expect(await fieldsOf(updateVial(ctx, id, { totalAmount: '2' }))).toHaveProperty('totalAmount');
  });

  it('fails with NOT_FOUND for somebody else’s vial', async () => {
    const [owner, other] = [await person(), await person()];
    const { id } = await addVial(owner.ctx, input());
    for (const attempt of [
      () => getVial(other.ctx, id),
      () => updateVial(other.ctx, id, { name: 'Mine' }),
      () => correctRemaining(other.ctx, id, { remainingAmount: '1' }),
      () => spillVial(other.ctx, id, { lostAmount: '1' }),
      () => discardVial(other.ctx, id),
      () => reconstituteVial(other.ctx, id, { reconstitutionDate: '2090-03-01', waterMl: '1' }),
      () => deleteVial(other.ctx, id),
    ])
      expect(await codeOf(attempt())).toBe('NOT_FOUND');
    expect(await getVial(owner.ctx, id)).toMatchObject({ name: 'BPC-157', remaining: '5' });
  });
});
