import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import {
  applyStockDraws,
  planStockDraws,
  returnStockDraws,
  insertVial,
} from '#app/features/vials/vial-writes.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { codeOf } from '#tests/support/outcomes.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { vial } from '#tests/support/vials.ts';

let db: TestDatabase;
let ada: Person;
let people = 0;
beforeAll(async () => {
  db = await openTestDatabase();
  ada = await newPerson(db, 'ada@example.org', { plan: 'trial' });
});
afterAll(() => db.dispose());

const at = new Date('2090-03-10T12:00:00Z');

/** Adds a vial with a unique name to somebody's stock. */
async function stocked(owner: Person, more: Partial<VialWithLedger> = {}): Promise<VialWithLedger> {
  people += 1;
  const id = `vial_test_${people}`;
  const made = vial({
    id,
    userId: owner.signedIn.user.id,
    name: `Name ${people}`,
    reconstitutionDate: '2090-03-01',
    ...more,
  });
  return insertVial(owner.ctx, { id: owner.signedIn.user.id, isPremium: true }, made);
}

const ownerId = (person: Person) => person.signedIn.user.id;
const read = async (person: Person, id: string) =>
  (await db.repos.vials.find(ownerId(person), id)) ?? expect.unreachable('it is gone');

describe('drawing a dose', () => {
  it('takes it from stock, and undoing it puts it back', async () => {
    const { id, name } = await stocked(ada);
    const { draws, warnings } = await planStockDraws(ada.ctx, ownerId(ada), {
      name,
      doseMg: '0.25',
      syringe: 'u100-1ml',
    });
    expect({ draws, warnings }).toEqual({
      draws: [
        {
          compoundId: id,
          mg: '0.25',
          ml: '0.100',
          units: '10',
          mark: expect.objectContaining({ isExact: true }),
        },
      ],
      warnings: [],
    });
    const move = { key: 'dose_1:1', draws, at };
    await applyStockDraws(ada.ctx, ownerId(ada), move);
    expect(await read(ada, id)).toMatchObject({ remaining: '4.75', status: 'in_use', openedAt: at });
    await returnStockDraws(ada.ctx, ownerId(ada), move);
    expect(await read(ada, id)).toMatchObject({ remaining: '5', status: 'reconstituted', openedAt: null });
    expect((await read(ada, id)).ledger.map(({ kind, mg }) => `${kind} ${mg}`)).toEqual([
      'dose -0.25',
      'dose 0.25',
    ]);
  });

  it('happens once, however often and concurrently it is recorded', async () => {
    const { id } = await stocked(ada);
    const move = { key: 'dose_2:1', draws: [{ compoundId: id, mg: '1' }], at };
    await Promise.all(Array.from({ length: 10 }, () => applyStockDraws(ada.ctx, ownerId(ada), move)));
    expect(await read(ada, id)).toMatchObject({ remaining: '4' });
    await Promise.all(Array.from({ length: 10 }, () => returnStockDraws(ada.ctx, ownerId(ada), move)));
    expect(await read(ada, id)).toMatchObject({ remaining: '5' });
  });

  it('does not happen after the dose was undone', async () => {
    const { id } = await stocked(ada);
    const move = { key: 'dose_3:1', draws: [{ compoundId: id, mg: '1' }], at };
    await returnStockDraws(ada.ctx, ownerId(ada), move);
    await applyStockDraws(ada.ctx, ownerId(ada), move);
    expect(await read(ada, id)).toMatchObject({ remaining: '5', status: 'reconstituted' });
  });

  it('never loses an amount when many doses come from one vial at once', async () => {
    const { id } = await stocked(ada);
    const moves = Array.from({ length: 40 }, (_, index) => ({
      key: `many_${index}:1`,
      draws: [{ compoundId: id, mg: '0.1' }],
      at,
    }));
    await Promise.all(moves.map((move) => applyStockDraws(ada.ctx, ownerId(ada), move)));
    await Promise.all(moves.slice(0, 10).map((move) => returnStockDraws(ada.ctx, ownerId(ada), move)));
    expect(await read(ada, id)).toMatchObject({ remaining: '2' });
  });

  it('records more than the vial holds, with a warning', async () => {
    const { id, name } = await stocked(ada, { totalAmount: '0.1' });
    const { draws, warnings } = await planStockDraws(ada.ctx, ownerId(ada), {
      name,
      doseMg: '0.25',
      syringe: 'u100-1ml',
    });
    expect(warnings.map(({ code }) => code)).toEqual(['OVER_DRAWN']);
    const applied = await applyStockDraws(ada.ctx, ownerId(ada), { key: 'dose_4:1', draws, at });
    expect(applied.warnings).toMatchObject([{ code: 'OVER_DRAWN', compoundId: id }]);
    expect(await read(ada, id)).toMatchObject({ remaining: '-0.15', status: 'empty' });
  });

  it('skips a vial that was deleted in the meantime', async () => {
    const { id } = await stocked(ada);
    await db.repos.vials.delete(ownerId(ada), id);
    const move = { key: 'dose_5:1', draws: [{ compoundId: id, mg: '1' }], at };
    expect(await applyStockDraws(ada.ctx, ownerId(ada), move)).toEqual({ warnings: [] });
    await returnStockDraws(ada.ctx, ownerId(ada), move);
  });
});

describe('a vial chosen for a dose', () => {
  it('counts as missing if it is somebody else’s', async () => {
    const bob = await newPerson(db, 'bob@example.org', { plan: 'trial' });
    const { id, name } = await stocked(ada);
    const plan = (compoundId: string) =>
      planStockDraws(bob.ctx, ownerId(bob), { name, doseMg: '1', syringe: 'u100-1ml', compoundId });
    expect(await codeOf(plan(id))).toBe('NOT_FOUND');
    expect(await codeOf(plan('vial_nowhere'))).toBe('NOT_FOUND');
    await applyStockDraws(bob.ctx, ownerId(bob), { key: 'x', draws: [{ compoundId: id, mg: '1' }], at });
    expect(await read(ada, id)).toMatchObject({ remaining: '5' });
    expect(
      await codeOf(planStockDraws(bob.ctx, ownerId(ada), { name, doseMg: '1', syringe: 'u100-1ml' })),
    ).toBe('FORBIDDEN');
    expect(await codeOf(applyStockDraws(bob.ctx, ownerId(ada), { key: 'x', draws: [], at }))).toBe(
      'FORBIDDEN',
    );
  });

  it('is refused at its field if it is discarded', async () => {
    const { id, name } = await stocked(ada, { status: 'discarded', totalAmount: '1' });
    const plan = planStockDraws(ada.ctx, ownerId(ada), {
      name,
      doseMg: '1',
      syringe: 'u100-1ml',
      compoundId: id,
    });
    await expect(plan).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { compoundId: [expect.any(String)] },
    });
  });

  it("is skipped if the schedule names it and it is gone or somebody else's", async () => {
    const { id, name } = await stocked(ada);
    for (const preferredCompoundId of ['vial_nowhere', null]) {
      const { draws } = await planStockDraws(ada.ctx, ownerId(ada), {
        name,
        doseMg: '1',
        syringe: 'u100-1ml',
        preferredCompoundId,
      });
      expect(draws.map(({ compoundId }) => compoundId)).toEqual([id]);
    }
  });
});

it("a vial expires at the end of the day in the owner's zone, whoever asks", async () => {
  const eve = await newPerson(db, 'eve@example.org', { plan: 'trial', timeZone: 'Pacific/Kiritimati' });
  // 2090-03-10 12:00 UTC is the 11th there, so a vial whose last day is the 10th has expired.
  const { name } = await stocked(eve, { expirationDate: '2090-03-10' });
  for (const ctx of [eve.ctx, db.ctx(TERMINAL)]) {
    const { warnings } = await planStockDraws(ctx, ownerId(eve), { name, doseMg: '1', syringe: 'u100-1ml' });
    expect(warnings.map(({ code }) => code)).toEqual(['NO_OPEN_VIAL']);
  }
});
