import { describe, expect, it } from 'vitest';
import {
  correctTo,
  discardAll,
  giveBack,
  spillFrom,
  takeFrom,
  withEntries,
} from '#app/domain/vials/stock.ts';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import { vial } from '#tests/support/vials.ts';

const at = new Date('2026-03-05T08:00:00Z');
const later = new Date('2026-03-06T08:00:00Z');
const lines = ({ ledger }: VialWithLedger) => ledger.map(({ kind, mg }) => `${kind} ${mg}`);

describe('a draw', () => {
  it('opens the vial, and the last draw empties it', () => {
    const first = takeFrom(vial(), { id: 'a', mg: '2', at });
    expect(first).toMatchObject({ status: 'in_use', remaining: '3', openedAt: at });
    const second = takeFrom(first, { id: 'b', mg: '3', at: later });
    expect(second).toMatchObject({ status: 'empty', remaining: '0', openedAt: at });
  });

  it('is recorded once, and not after it was undone', () => {
    const drawn = takeFrom(vial(), { id: 'a', mg: '2', at });
    expect(takeFrom(drawn, { id: 'a', mg: '2', at })).toBe(drawn);
    const undone = giveBack(drawn, { id: 'a', at });
    expect(takeFrom(undone, { id: 'a', mg: '2', at })).toBe(undone);
    expect(giveBack(undone, { id: 'a', at })).toBe(undone);
    const never = giveBack(vial(), { id: 'a', at });
    expect(takeFrom(never, { id: 'a', mg: '2', at })).toBe(never);
    expect(lines(never)).toEqual(['dose 0']);
  });

  it('that is undone leaves the opening date to the next draw', () => {
    const two = takeFrom(takeFrom(vial(), { id: 'a', mg: '1', at }), { id: 'b', mg: '1', at: later });
    expect(giveBack(two, { id: 'a', at: later })).toMatchObject({
      status: 'in_use',
      openedAt: later,
      remaining: '4',
    });
  });

  it('is exact where floating-point numbers are not', () => {
    let found = vial({ totalAmount: '0.3' });
    for (const id of ['a', 'b', 'c']) found = takeFrom(found, { id, mg: '0.1', at });
    expect(found).toMatchObject({ remaining: '0', status: 'empty' });
  });
});

describe('changes in an unexpected order', () => {
  it('an amount returned to a discarded vial is discarded too', () => {
    const discarded = discardAll(takeFrom(vial(), { id: 'a', mg: '1', at }), { id: 'd', at: later });
    const undone = giveBack(discarded, { id: 'a', at: later });
    expect(undone).toMatchObject({ status: 'discarded', remaining: '0' });
    expect(lines(undone)).toEqual(['dose -1', 'discard -4', 'dose 1', 'discard -1']);
  });

  it('a draw recorded after the discard reduces what was discarded', () => {
    const discarded = discardAll(vial(), { id: 'd', at });
    const drawn = takeFrom(discarded, { id: 'a', mg: '1', at });
    expect(drawn).toMatchObject({ status: 'discarded', remaining: '0' });
    expect(lines(giveBack(drawn, { id: 'a', at }))).toEqual([
      'discard -5',
      'dose -1',
      'discard 1',
      'dose 1',
      'discard -1',
    ]);
  });

  it('an undo after a correction never fills a vial beyond its total', () => {
    const drawn = takeFrom(vial(), { id: 'a', mg: '1', at });
    const counted = correctTo(drawn, { id: 'c', remaining: '4.5', at, reason: null });
    expect(giveBack(counted, { id: 'a', at: later })).toMatchObject({ remaining: '5' });
    expect(lines(giveBack(counted, { id: 'a', at: later }))).toEqual([
      'dose -1',
      'correction 0.5',
      'dose 1',
      'correction -0.5',
    ]);
  });
});

describe('corrections, losses and discards', () => {
  it('record the difference, and nothing if there is none', () => {
    const found = vial();
    expect(correctTo(found, { id: 'c', remaining: '5.0', at, reason: null })).toBe(found);
    expect(lines(correctTo(found, { id: 'c', remaining: '1.5', at, reason: 'counted' }))).toEqual([
      'correction -3.5',
    ]);
    expect(lines(correctTo(found, { id: 'i', remaining: '1.5', at, reason: null, kind: 'import' }))).toEqual([
      'import -3.5',
    ]);
  });

  it('set an over-drawn vial to the measured amount', () => {
    const over = takeFrom(vial(), { id: 'a', mg: '6', at });
    expect(correctTo(over, { id: 'c', remaining: '0.5', at, reason: null })).toMatchObject({
      remaining: '0.5',
      status: 'in_use',
    });
  });

  it('change nothing in a discarded vial', () => {
    const gone = discardAll(vial(), { id: 'd', at, reason: 'broken' });
    expect(gone.ledger).toMatchObject([{ kind: 'discard', mg: '-5', reason: 'broken' }]);
    expect(correctTo(gone, { id: 'c', remaining: '1', at, reason: null })).toBe(gone);
    expect(spillFrom(gone, { id: 's', mg: '1', at })).toBe(gone);
  });

  it('are recorded once per id', () => {
    const entry = { id: 'x', kind: 'spill' as const, mg: '-1', reason: null, at };
    const once = withEntries(vial(), [entry]);
    expect(withEntries(once, [entry])).toBe(once);
  });
});
