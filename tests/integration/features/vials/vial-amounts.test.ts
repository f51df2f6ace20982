import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VialInput } from '#app/domain/vials/vial-schema.ts';
import {
  correctRemaining,
  discardVial,
  reconstituteVial,
  spillVial,
  addVial,
  getVial,
} from '#app/features/vials/vials.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { codeOf, fieldsOf } from '#tests/support/outcomes.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
let people = 0;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const person = () => {
  people += 1;
  return newPerson(db, `person-${people}@example.org`, { plan: 'trial' });
};
const input = (more: Partial<VialInput> = {}): VialInput => ({
  name: 'BPC-157',
  totalAmount: '5',
  waterMl: '2',
  reconstitutionDate: '2090-03-01',
  ...more,
});
describe('the remaining amount', () => {
  it('is corrected by a ledger entry, within the total', async () => {
    const { ctx } = await person();
    const { id } = await addVial(ctx, input());
    const corrected = await correctRemaining(ctx, id, { remainingAmount: '3,5', reason: 'counted' });
    expect(corrected).toMatchObject({
      remaining: '3.5',
      ledger: [{ kind: 'correction', mg: '-1.5', reason: 'counted' }],
    });
    for (const remainingAmount of ['-1', '5.01', '', 'all'])
      expect(await fieldsOf(correctRemaining(ctx, id, { remainingAmount }))).toHaveProperty(
        'remainingAmount',
      );
    expect(await correctRemaining(ctx, id, { remainingAmount: '0' })).toMatchObject({ status: 'empty' });
    expect(await correctRemaining(ctx, id, { remainingAmount: '5' })).toMatchObject({
      status: 'reconstituted',
    });
  });

  it('decreases by a loss, once per submission', async () => {
    const { ctx } = await person();
    const { id } = await addVial(ctx, input());
    await Promise.all([1, 2, 3].map(() => spillVial(ctx, id, { lostAmount: '1' }, 'idempotencyKey')));
    expect(await getVial(ctx, id)).toMatchObject({ remaining: '4' });
    expect(await fieldsOf(spillVial(ctx, id, { lostAmount: '4.5' }))).toHaveProperty('lostAmount');
  });

  it('stays zero in a discarded vial', async () => {
    const { ctx } = await person();
    const { id } = await addVial(ctx, input());
    expect(await discardVial(ctx, id, { reason: 'broken' })).toMatchObject({
      status: 'discarded',
      remaining: '0',
      ledger: [{ kind: 'discard', mg: '-5', reason: 'broken' }],
    });
    await discardVial(ctx, id);
    expect((await getVial(ctx, id)).ledger).toHaveLength(1);
    expect(await codeOf(correctRemaining(ctx, id, { remainingAmount: '1' }))).toBe('VIAL_DISCARDED');
    expect(await codeOf(spillVial(ctx, id, { lostAmount: '1' }))).toBe('VIAL_DISCARDED');
  });
});

describe('reconstituting a vial', () => {
  it('opens a sealed vial with the water that was added', async () => {
    const { ctx } = await person();
    const { id } = await addVial(ctx, { name: 'TB-500', totalAmount: '5', expirationDate: '2091-01-01' });
    const opened = await reconstituteVial(ctx, id, { reconstitutionDate: '2090-03-10', waterMl: '2,5' });
    expect(opened).toMatchObject({ status: 'reconstituted', waterMl: '2.5', expirationDate: null });
    expect(
      await codeOf(reconstituteVial(ctx, id, { reconstitutionDate: '2090-03-10', waterMl: '2.5' })),
    ).toBe('done');
    expect(
      await codeOf(reconstituteVial(ctx, id, { reconstitutionDate: '2090-03-11', waterMl: '2.5' })),
    ).toBe('WRONG_STATE');
  });

  it('needs a date and a strength', async () => {
    const { ctx } = await person();
    const { id } = await addVial(ctx, { name: 'TB-500', totalAmount: '5' });
    expect(await fieldsOf(reconstituteVial(ctx, id, { reconstitutionDate: '' }))).toHaveProperty(
      'reconstitutionDate',
    );
    expect(await fieldsOf(reconstituteVial(ctx, id, { reconstitutionDate: '2090-03-10' }))).toHaveProperty(
      'waterMl',
    );
  });
});
