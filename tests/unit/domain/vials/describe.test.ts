import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedVial, newVial } from '#app/domain/vials/describe-vial.ts';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import type { VialChanges } from '#app/domain/vials/vial-schema.ts';
import { vial, vialWith } from '#tests/support/vials.ts';

const made = { id: 'vial_1', userId: 'user_1', createdAt: new Date('2026-03-01T08:00:00Z') };

const after = (before: VialWithLedger, changes: VialChanges): VialWithLedger => {
  const result = changedVial(before, changes);
  if ('problems' in result) return expect.unreachable(JSON.stringify(result.problems));
  return result.vial;
};
const fields = (before: VialWithLedger, changes: VialChanges): string[] => {
  const result = changedVial(before, changes);
  return 'problems' in result ? Object.keys(result.problems) : [];
};

describe('a new vial', () => {
  it('is full, and reconstituted if it has a reconstitution date, else sealed', () => {
    expect(
      newVial({ name: 'A', totalAmount: '5', waterMl: '2', reconstitutionDate: '2026-03-01' }, made),
    ).toMatchObject({
      status: 'reconstituted',
      remaining: '5',
      ledger: [],
      displacement: '0',
      ...made,
    });
    expect(newVial({ name: 'A', amountMg: '5' }, made)).toMatchObject({
      status: 'sealed',
      totalAmount: '5',
      waterMl: null,
    });
  });

  it('keeps the water if both are given, because the concentration may not terminate', () => {
    const facts = { name: 'A', totalAmount: '5', waterMl: '3', concentration: '1.67' };
    expect(newVial(facts, made)).toMatchObject({ waterMl: '3', concentration: null });
    expect(newVial({ name: 'A', totalAmount: '5', concentration: '2.5' }, made)).toMatchObject({
      waterMl: null,
      concentration: '2.5',
    });
  });
});

describe('changes to a vial', () => {
  it('that change nothing return the same object', () => {
    const before = vial({ notes: 'x', lot: null });
    for (const changes of [
      {},
      { notes: 'x' },
      { lot: null },
      { name: 'BPC-157', totalAmount: '5' },
      { displacement: null },
    ])
      expect(after(before, changes)).toBe(before);
  });

  it('affect only the fields sent and what follows from them', () => {
    const before = vialWith('3', { notes: 'x', lot: 'L', cost: '10' });
    expect(after(before, { notes: null })).toEqual({ ...before, notes: null });
    expect(after(before, { totalAmount: '6' })).toEqual({ ...before, totalAmount: '6', remaining: '4' });
    expect(after(before, { amountMg: '6' })).toEqual({ ...before, totalAmount: '6', remaining: '4' });
    expect(after(before, { reconstitutionDate: null })).toEqual({
      ...before,
      reconstitutionDate: null,
      status: 'sealed',
    });
  });

  it('replace the water by the concentration, or the other way round', () => {
    expect(after(vial(), { concentration: '3' })).toMatchObject({ concentration: '3', waterMl: null });
    expect(after(vial({ waterMl: null, concentration: '3' }), { waterMl: '2' })).toMatchObject({
      concentration: null,
      waterMl: '2',
    });
    expect(after(vial(), { waterMl: '3', concentration: '1.67' })).toMatchObject({
      concentration: null,
      waterMl: '3',
    });
    expect(after(vial({ waterMl: null, concentration: '3' }), { waterMl: null })).toMatchObject({
      concentration: '3',
      waterMl: null,
    });
    expect(after(vial(), { concentration: null })).toMatchObject({ waterMl: '2' });
  });

  it.each([
    ['two strengths that differ', vial(), { waterMl: '2', concentration: '3' }, 'concentration'],
    ['an open vial without a strength', vial(), { waterMl: null }, 'waterMl'],
    ['an end before the beginning', vial(), { expirationDate: '2026-02-28' }, 'expirationDate'],
    [
      'reconstitution after the last day of use',
      vial({ expirationDate: '2026-03-20' }),
      { reconstitutionDate: '2026-03-21' },
      'expirationDate',
    ],
    ['less than was drawn', vialWith('1'), { totalAmount: '3' }, 'totalAmount'],
    ['the amount of a discarded vial', vial({ status: 'discarded' }), { totalAmount: '9' }, 'totalAmount'],
  ] as const)('refuse %s', (_, before, changes, field) => {
    expect(fields(before, changes)).toEqual([field]);
  });

  it('are checked only for what they affect, so an old mistake does not block a note', () => {
    const odd = vial({ expirationDate: '2026-02-01', waterMl: null });
    expect(after(odd, { notes: 'x' })).toMatchObject({ notes: 'x' });
    const overdrawn = vialWith('-1');
    expect(after(overdrawn, { totalAmount: '5.5' })).toMatchObject({ remaining: '-0.5' });
  });

  it('law: to the total and back restore the vial', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 9000 }), (left, total) => {
        const before = vialWith(String(left / 1000));
        const changed = changedVial(before, { totalAmount: String(total / 1000) });
        if ('problems' in changed) expect(total).toBeLessThan(5000 - left);
        else expect(after(changed.vial, { totalAmount: '5' })).toEqual(before);
      }),
    );
  });
});
