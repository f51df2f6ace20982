import { describe, expect, it } from 'vitest';
import { planDraws, type DrawRequest } from '#app/domain/vials/stock.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import { vial, vialWith } from '#tests/support/vials.ts';

const plan = (vials: readonly Vial[], more: Partial<DrawRequest> = {}) =>
  planDraws(vials, { name: 'BPC-157', doseMg: '0.25', day: '2026-03-10', syringe: 'u100-1ml', ...more });
const drawn = (vials: readonly Vial[], more: Partial<DrawRequest> = {}) =>
  plan(vials, more).draws.map(({ compoundId, mg }) => `${compoundId} ${mg}`);
const codes = (vials: readonly Vial[], more: Partial<DrawRequest> = {}) =>
  plan(vials, more).warnings.map(({ code }) => code);

describe('without a named vial', () => {
  const early = vial({ id: 'early', reconstitutionDate: '2026-03-01' });
  const late = vial({ id: 'late', reconstitutionDate: '2026-03-05' });

  it('the earliest date comes first', () => {
    expect(drawn([late, early])).toEqual(['early 0.25']);
    expect(plan([late, early]).draws).toEqual([
      { compoundId: 'early', mg: '0.25', ml: '0.100', units: '10' },
    ]);
  });

  it('a stored date counts before the 28 days', () => {
    expect(
      drawn([early, vial({ id: 'stored', reconstitutionDate: '2026-03-05', expirationDate: '2026-03-12' })]),
    ).toEqual(['stored 0.25']);
  });

  it('one past its date is passed over, its last day is not', () => {
    const old = vial({ id: 'old', reconstitutionDate: '2026-02-09' });
    expect(drawn([old, late])).toEqual(['late 0.25']);
    expect(drawn([old, late], { day: '2026-03-09' })).toEqual(['old 0.25']);
  });

  it('sealed, used up, thrown away and other compounds are passed over', () => {
    const others = [
      vial({ id: 'sealed', reconstitutionDate: null }),
      vialWith('0', { id: 'empty' }),
      vial({ id: 'gone', status: 'discarded' }),
      vial({ id: 'other', name: 'TB-500' }),
    ];
    expect(plan(others)).toEqual({
      draws: [],
      leftMg: null,
      strength: null,
      holdsDose: true,
      blend: null,
      warnings: [
        {
          code: 'NO_OPEN_VIAL',
          compoundId: null,
          message: 'No open vial with this name: this dose is not taken from stock.',
        },
      ],
    });
  });

  it('a name is found however it is written', () => {
    expect(drawn([vial({ id: 'a', name: ' bpc-157' })], { name: 'BPC-157 ' })).toEqual(['a 0.25']);
  });

  it('what one does not hold comes from the next, and the dose is whole', () => {
    expect(drawn([vialWith('0.1', { id: 'a' }), late])).toEqual(['a 0.1', 'late 0.15']);
    expect(codes([vialWith('0.1', { id: 'a' }), late])).toEqual([]);
  });

  it('what none holds is over-drawn from the last, and said', () => {
    const vials = [
      vialWith('0.1', { id: 'a' }),
      vialWith('0.05', { id: 'b', reconstitutionDate: '2026-03-05' }),
    ];
    expect(drawn(vials)).toEqual(['a 0.1', 'b 0.15']);
    expect(plan(vials).warnings).toMatchObject([{ code: 'OVER_DRAWN', compoundId: 'b' }]);
  });

  it('a vial of unknown strength is drawn from without a volume', () => {
    expect(plan([vial({ waterMl: null })]).draws).toEqual([
      { compoundId: 'vial_1', mg: '0.25', ml: null, units: null },
    ]);
  });

  it('powder that takes up room makes the draw larger', () => {
    expect(plan([vial({ displacement: '100' })]).draws[0]).toMatchObject({ ml: '0.125', units: '12.5' });
  });
});

describe('with a vial that the user named', () => {
  it('everything comes from it, also past its date, and that is said', () => {
    const old = vial({ id: 'old', reconstitutionDate: '2026-01-01' });
    expect(drawn([old, vial({ id: 'fresh' })], { compoundId: 'old' })).toEqual(['old 0.25']);
    expect(plan([old], { compoundId: 'old' }).warnings).toEqual([
      {
        code: 'PAST_DATE',
        compoundId: 'old',
        message: 'This vial is past its beyond-use date (29 Jan 2026). You can still log from it.',
      },
    ]);
  });

  it('also more than it holds', () => {
    const little = vialWith('0.1', { id: 'little' });
    expect(drawn([little, vial({ id: 'fresh' })], { compoundId: 'little' })).toEqual(['little 0.25']);
    expect(codes([little], { compoundId: 'little' })).toEqual(['OVER_DRAWN']);
  });

  it('of whatever name', () => {
    expect(drawn([vial({ id: 'x', name: 'Mix' })], { compoundId: 'x' })).toEqual(['x 0.25']);
  });
});

describe("with a schedule's vial", () => {
  const mine = vialWith('0.1', { id: 'mine', reconstitutionDate: '2026-03-05' });

  it('it comes first, the others of the name follow', () => {
    expect(drawn([vial({ id: 'early' }), mine], { preferredCompoundId: 'mine' })).toEqual([
      'mine 0.1',
      'early 0.15',
    ]);
  });

  it('it is over-drawn when there is no other', () => {
    expect(drawn([mine], { preferredCompoundId: 'mine' })).toEqual(['mine 0.25']);
    expect(codes([mine], { preferredCompoundId: 'mine' })).toEqual(['OVER_DRAWN']);
  });

  it('one that is used up or gone is passed over', () => {
    const vials = [vialWith('0', { id: 'empty' }), vial({ id: 'next' })];
    expect(drawn(vials, { preferredCompoundId: 'empty' })).toEqual(['next 0.25']);
    expect(drawn(vials, { preferredCompoundId: 'nowhere' })).toEqual(['next 0.25']);
  });

  it('a sealed one is drawn from with a warning', () => {
    expect(codes([vial({ reconstitutionDate: null })], { preferredCompoundId: 'vial_1' })).toEqual([
      'NOT_RECONSTITUTED',
    ]);
  });
});
