import { describe, expect, it } from 'vitest';
import { drawTexts } from '#app/domain/doses/draw-line.ts';
import { planDraws, type DrawRequest } from '#app/domain/vials/stock.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import { vial, vialWith } from '#tests/support/vials.ts';

const plan = (vials: readonly Vial[], more: Partial<DrawRequest> = {}) =>
  planDraws(vials, { name: 'BPC-157', doseMg: '0.25', day: '2026-03-10', syringe: 'u100-1ml', ...more });
const drawn = (vials: readonly Vial[], more: Partial<DrawRequest> = {}) =>
  plan(vials, more).draws.map(({ compoundId, mg }) => `${compoundId} ${mg}`);
const codes = (vials: readonly Vial[], more: Partial<DrawRequest> = {}) =>
  plan(vials, more).warnings.map(({ code }) => code);

describe('drawing a dose when no vial is chosen', () => {
  const early = vial({ id: 'early', reconstitutionDate: '2026-03-01' });
  const late = vial({ id: 'late', reconstitutionDate: '2026-03-05' });

  it('takes the earliest date first', () => {
    expect(drawn([late, early])).toEqual(['early 0.25']);
    expect(plan([late, early]).draws).toMatchObject([
      { compoundId: 'early', mg: '0.25', ml: '0.100', units: '10', mark: { drawsText: '10', isExact: true } },
    ]);
  });

  it('prefers a stored date to the 28 days', () => {
    expect(
      drawn([early, vial({ id: 'stored', reconstitutionDate: '2026-03-05', expirationDate: '2026-03-12' })]),
    ).toEqual(['stored 0.25']);
  });

  it('skips an expired vial, but not on its last day', () => {
    const old = vial({ id: 'old', reconstitutionDate: '2026-02-09' });
    expect(drawn([old, late])).toEqual(['late 0.25']);
    expect(drawn([old, late], { day: '2026-03-09' })).toEqual(['old 0.25']);
  });

  it('skips sealed, empty and discarded vials and other compounds', () => {
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
      container: {},
      holdsDose: true,
      blend: null,
      warnings: [
        {
          code: 'NO_OPEN_VIAL',
          compoundId: null,
          message: 'No open vial has this name, so the dose is not taken from stock.',
        },
      ],
    });
  });

  it('finds a name however it is written', () => {
    expect(drawn([vial({ id: 'a', name: ' bpc-157' })], { name: 'BPC-157 ' })).toEqual(['a 0.25']);
  });

  it('takes what one vial lacks from the next, so that the dose is complete', () => {
    expect(drawn([vialWith('0.1', { id: 'a' }), late])).toEqual(['a 0.1', 'late 0.15']);
    expect(codes([vialWith('0.1', { id: 'a' }), late])).toEqual([]);
  });

  it('over-draws the last vial, with a warning, when all are short', () => {
    const vials = [
      vialWith('0.1', { id: 'a' }),
      vialWith('0.05', { id: 'b', reconstitutionDate: '2026-03-05' }),
    ];
    expect(drawn(vials)).toEqual(['a 0.1', 'b 0.15']);
    expect(plan(vials).warnings).toMatchObject([{ code: 'OVER_DRAWN', compoundId: 'b' }]);
  });

  it('is said in marks of the syringe, with the exact draw and a large error', () => {
    const said = (doseMg: string) => drawTexts(plan([vial()], { doseMg }), 'u100-1ml').drawText;
    expect(said('0.25')).toBe('10 units (0.1 ml)');
    expect(said('0.249')).toBe('10 units (exact 9.96, 0.1 ml)');
    expect(said('0.137')).toBe('5 units (exact 5.48, 0.055 ml, 8.76% less)');
    expect(said('4.9')).toBe('100 + 96 units (1.96 ml)');
  });

  it('draws from a vial of unknown strength without giving a volume', () => {
    expect(plan([vial({ waterMl: null })]).draws).toEqual([
      { compoundId: 'vial_1', mg: '0.25', ml: null, units: null, mark: null },
    ]);
  });

  it('draws more from a vial with powder displacement', () => {
    expect(plan([vial({ displacement: '100' })]).draws[0]).toMatchObject({ ml: '0.125', units: '12.5' });
  });
});

describe('drawing a dose from a vial that the user chose', () => {
  it('takes all of it from there, even if it has expired, with a warning', () => {
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

  it('takes more than it holds, with a warning', () => {
    const little = vialWith('0.1', { id: 'little' });
    expect(drawn([little, vial({ id: 'fresh' })], { compoundId: 'little' })).toEqual(['little 0.25']);
    expect(codes([little], { compoundId: 'little' })).toEqual(['OVER_DRAWN']);
  });

  it('accepts a vial with any name', () => {
    expect(drawn([vial({ id: 'x', name: 'Mix' })], { compoundId: 'x' })).toEqual(['x 0.25']);
  });
});

describe("drawing a dose from a schedule's vial", () => {
  const mine = vialWith('0.1', { id: 'mine', reconstitutionDate: '2026-03-05' });

  it('starts with that vial and continues with others of the name', () => {
    expect(drawn([vial({ id: 'early' }), mine], { preferredCompoundId: 'mine' })).toEqual([
      'mine 0.1',
      'early 0.15',
    ]);
  });

  it('over-draws it when there is no other', () => {
    expect(drawn([mine], { preferredCompoundId: 'mine' })).toEqual(['mine 0.25']);
    expect(codes([mine], { preferredCompoundId: 'mine' })).toEqual(['OVER_DRAWN']);
  });

  it('skips it when it is empty or deleted', () => {
    const vials = [vialWith('0', { id: 'empty' }), vial({ id: 'next' })];
    expect(drawn(vials, { preferredCompoundId: 'empty' })).toEqual(['next 0.25']);
    expect(drawn(vials, { preferredCompoundId: 'nowhere' })).toEqual(['next 0.25']);
  });

  it('draws from it with a warning when it is sealed', () => {
    expect(codes([vial({ reconstitutionDate: null })], { preferredCompoundId: 'vial_1' })).toEqual([
      'NOT_RECONSTITUTED',
    ]);
  });
});
