import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastStock } from '#app/domain/vials/forecast.ts';
import { estimateNote } from '#app/domain/vials/forecast-texts.ts';
import { stockAlertsOf } from '#app/domain/vials/stock-alerts.ts';
import type { FutureDose, Vial } from '#app/domain/vials/vial.ts';
import { dayAfter } from '#app/domain/time/zoned-time.ts';
import { vial, vialWith } from '#tests/support/vials.ts';

const TODAY = '2026-03-01';

/** A dose every few days, starting today. */
const doses = (
  count: number,
  { every = 1, mg = '0.25' as string | null, name = 'BPC-157' } = {},
): FutureDose[] =>
  Array.from({ length: count }, (_, index) => ({ name, mg, day: dayAfter(TODAY, index * every) }));

const forecast = (vials: readonly Vial[], future: readonly FutureDose[], known: string[] = []) => {
  const knownNames = new Set([...vials.map(({ name }) => name.toLowerCase()), ...known]);
  return forecastStock({ vials, doses: future, knownNames, day: TODAY, until: '2026-12-31' });
};
const only = (...args: Parameters<typeof forecast>) => forecast(...args)[0];
const alertsOf = (vials: readonly Vial[], future: readonly FutureDose[]) =>
  stockAlertsOf(vials, forecast(vials, future), TODAY).map(({ kind, message }) => `${kind}: ${message}`);

describe('how long stock lasts', () => {
  it('ends with the first dose that is not covered', () => {
    expect(only([vialWith('2.4')], doses(60))).toEqual({
      name: 'BPC-157',
      nameKey: 'bpc-157',
      level: 'amber',
      why: null,
      measure: 'mg',
      stockMg: '2.4',
      expiredMg: '0',
      runOutDay: '2026-03-10',
      wasted: null,
      daysOfSupply: 9,
      reorderBy: '2026-02-24',
      until: '2026-12-31',
    });
  });

  it.each([
    [6, 'red'],
    [7, 'amber'],
    [13, 'amber'],
    [14, 'ok'],
  ])('%i days are %s', (days, level) => {
    expect(only([vialWith(String(days * 0.25))], doses(60))).toMatchObject({ daysOfSupply: days, level });
  });

  it('ends when a vial expires, however much is left in it', () => {
    expect(only([vial({ reconstitutionDate: '2026-02-05' })], doses(60))).toMatchObject({
      runOutDay: '2026-03-06',
      level: 'red',
      wasted: { vials: 1, lastDay: '2026-03-05', mg: '3.75' },
    });
  });

  it('gives expiry as the reason only if the expired amount would have been enough', () => {
    const soonPast = (mg: string) => vialWith(mg, { id: mg, reconstitutionDate: '2026-02-05' });
    // Five doses of 0.25 mg up to 5 March; of 1.3 mg a fifth of a dose is left over.
    expect(only([soonPast('1.3')], doses(60))).toMatchObject({ runOutDay: '2026-03-06', wasted: null });
    const sealed = vialWith('0.2', { id: 'sealed', reconstitutionDate: null });
    expect(only([soonPast('1.3'), sealed], doses(60))).toMatchObject({
      runOutDay: '2026-03-06',
      wasted: { vials: 1, lastDay: '2026-03-05', mg: '0.05' },
    });
  });

  it('separates expired stock from usable stock', () => {
    const past = vialWith('10', { id: 'past', totalAmount: '10', expirationDate: '2026-02-28' });
    expect(only([past], doses(3))).toMatchObject({ stockMg: '0', expiredMg: '10', wasted: null });
    expect(alertsOf([past], [])).toEqual([
      'expired: A vial of BPC-157 is past its beyond-use date (28 Feb 2026).',
    ]);
  });

  it('counts 28 days from the opening of a sealed vial, or until the date on it if earlier', () => {
    const sealed = { id: 'sealed', reconstitutionDate: null, totalAmount: '100' };
    expect(only([vialWith('0.5'), vial(sealed)], doses(60))).toMatchObject({
      runOutDay: dayAfter(TODAY, 2 + 28 + 1),
    });
    expect(
      only([vialWith('0.5'), vial({ ...sealed, expirationDate: '2026-03-08' })], doses(60)),
    ).toMatchObject({ runOutDay: '2026-03-09' });
  });

  it("starts with the schedule's own vial", () => {
    const [late, early] = [
      vialWith('0.5', { id: 'late' }),
      vialWith('0.5', { id: 'early', reconstitutionDate: '2026-02-02' }),
    ];
    const own = doses(2).map((dose) => ({ ...dose, compoundId: 'late' }));
    // The second vial has expired by the time it is needed.
    expect(only([late, early], [...own, { name: 'BPC-157', mg: '0.25', day: '2026-03-03' }])).toMatchObject({
      runOutDay: '2026-03-03',
    });
    expect(only([late, early], doses(3))).toMatchObject({ runOutDay: null, level: 'ok', daysOfSupply: null });
  });

  it('is zero when the last vial is used up', () => {
    expect(only([], doses(3), ['bpc-157'])).toMatchObject({
      level: 'red',
      runOutDay: TODAY,
      daysOfSupply: 0,
      stockMg: '0',
    });
  });
});

describe('a forecast with missing information is unknown, never fine', () => {
  it.each([
    ['no upcoming doses', [vial()], [], 'no-doses'],
    ['never a vial of the name', [], doses(3), 'no-vials'],
    ['a dose of unknown amount', [vial()], doses(3, { mg: null }), 'no-amount'],
  ] as const)('%s', (_, vials, future, why) => {
    expect(only(vials, future)).toMatchObject({
      level: 'unknown',
      why,
      runOutDay: null,
      daysOfSupply: null,
      reorderBy: null,
    });
  });
});

describe('law: stock for doses of one size', () => {
  it('lasts for as many doses as it holds, and never longer with less', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        (quarters, every) => {
          const vials = quarters.map((count, index) =>
            vialWith(String(count * 0.25), {
              id: `v${index}`,
              totalAmount: '10',
              expirationDate: '2099-01-01',
            }),
          );
          const total = quarters.reduce((sum, count) => sum + count, 0);
          const of = (some: readonly Vial[]) => only(some, doses(200, { every }), ['bpc-157'])?.runOutDay;
          expect(of(vials)).toBe(dayAfter(TODAY, total * every));
          expect((of(vials.slice(1)) ?? '') < (of(vials) ?? '')).toBe(true);
        },
      ),
    );
  });
});

describe('stock alerts', () => {
  const alerts = alertsOf;

  it('say what runs out and when', () => {
    expect(alerts([vialWith('0.5', { reconstitutionDate: '2026-02-28' })], doses(30))).toEqual([
      'low: BPC-157 is running low. It lasts until 3 Mar 2026 (2 days).',
    ]);
    expect(alerts([vialWith('0.1', { reconstitutionDate: '2026-02-28' })], doses(30))).toEqual([
      'low: BPC-157 is running low. Your stock does not cover today’s doses.',
    ]);
  });

  it('report an open vial that is nearly empty when no doses are planned', () => {
    expect(alerts([vialWith('1', { reconstitutionDate: '2026-02-28' })], [])).toEqual([
      'low: BPC-157 is running low. 1 mg left.',
    ]);
    expect(alerts([vialWith('1.01', { reconstitutionDate: '2026-02-28' })], [])).toEqual([]);
    expect(
      alerts(
        [vialWith('1', { reconstitutionDate: '2026-02-28' }), vial({ id: 'next', reconstitutionDate: null })],
        [],
      ),
    ).toEqual([]);
  });

  it('report dates that are near or past, except for empty vials', () => {
    const dated = (id: string, expirationDate: string) => vial({ id, expirationDate });
    expect(
      alerts(
        [
          dated('a', '2026-03-01'),
          dated('b', '2026-03-08'),
          dated('c', '2026-03-09'),
          dated('d', '2026-02-28'),
          vialWith('0', { id: 'e', expirationDate: '2026-02-01' }),
        ],
        [],
      ),
    ).toEqual([
      'expired: A vial of BPC-157 is past its beyond-use date (28 Feb 2026).',
      'expiring: A vial of BPC-157 can be used until 1 Mar 2026.',
      'expiring: A vial of BPC-157 can be used until 8 Mar 2026.',
    ]);
  });

  it('keep their key while nothing changes, and get another when a vial is added', () => {
    const keys = (vials: readonly Vial[], day: string) => {
      const knownNames = new Set(['bpc-157']);
      return stockAlertsOf(
        vials,
        forecastStock({ vials, doses: doses(30), knownNames, day, until: '2026-12-31' }),
        day,
      ).map(({ key }) => key);
    };
    const little = vialWith('0.5', { reconstitutionDate: '2026-02-28' });
    expect(keys([little], '2026-03-01')).toEqual(keys([little], '2026-03-02'));
    const more = vialWith('0.25', {
      id: 'more',
      createdAt: new Date('2026-03-02T00:00:00Z'),
      reconstitutionDate: '2026-02-28',
    });
    expect(keys([little, more], '2026-03-02')).not.toEqual(keys([little], '2026-03-02'));
  });
});

describe('dead space', () => {
  const VIAL = { totalAmount: '5', waterMl: '2', concentration: '2.5' };
  const withDeadSpace = (vials: readonly Vial[], future: readonly FutureDose[], deadSpaceMl: string) =>
    forecastStock({
      vials,
      doses: future,
      knownNames: new Set(),
      day: TODAY,
      until: '2026-12-31',
      deadSpaceMl,
    })[0];

  it('is lost with each injection, at the strength of the vial', () => {
    // 0.25 mg and 0.02 ml × 2.5 mg/ml a day: eight doses out of 2.4 mg instead of nine.
    const forecasts = ['0', '0.02'].map((ml) => withDeadSpace([vialWith('2.4', VIAL)], doses(60), ml));
    expect(forecasts[0]).toMatchObject({ daysOfSupply: 9, runOutDay: '2026-03-10', reorderBy: '2026-02-24' });
    expect(forecasts[0]).not.toHaveProperty('deadSpaceMl');
    expect(forecasts[1]).toMatchObject({
      daysOfSupply: 8,
      runOutDay: '2026-03-09',
      reorderBy: '2026-02-23',
      measure: 'mg',
      stockMg: '2.4',
      deadSpaceMl: '0.02',
    });
    expect(estimateNote(forecasts[1] ?? {})).toBe(
      ' 0.02 ml per injection is counted as lost to dead space; what you draw stays the same.',
    );
  });

  it('never makes the dose itself fall short', () => {
    expect(withDeadSpace([vialWith('0.5', VIAL)], doses(2), '0.02')).toMatchObject({
      runOutDay: '2026-03-02',
    });
    expect(withDeadSpace([vialWith('0.55', VIAL)], doses(2), '0.02')).toMatchObject({ runOutDay: null });
  });

  it('assumes the strength of open vials for dry powder, and is not counted if none is known', () => {
    const dry = { id: 'dry', waterMl: null, concentration: null, reconstitutionDate: null };
    const both = [vialWith('0.5', VIAL), vialWith('0.6', dry)];
    expect(withDeadSpace(both, doses(60), '0.02')).toMatchObject({ daysOfSupply: 3 });
    expect(withDeadSpace(both, doses(60), '0')).toMatchObject({ daysOfSupply: 4 });
    const alone = withDeadSpace([vialWith('0.5', dry)], doses(60), '0.02');
    expect(alone).toMatchObject({ daysOfSupply: 2 });
    expect(alone).not.toHaveProperty('deadSpaceMl');
  });

  it('is lost once for each injection that an average dose stands for', () => {
    const mean = doses(60).map((dose) => ({ ...dose, injections: '3', isEstimate: true }));
    // 0.25 mg in three injections that lose 0.05 mg each.
    expect(withDeadSpace([vialWith('2.4', VIAL)], mean, '0.02')).toMatchObject({ daysOfSupply: 6 });
  });

  it('law: never makes stock last longer, and zero changes nothing', () => {
    const amount = fc.integer({ min: 1, max: 500 }).map((hundredths) => String(hundredths / 100));
    const micro = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 4 }), micro, micro, (left, one, other) => {
        const vials = left.map((mg, index) =>
          vialWith(mg, { ...VIAL, id: `vial ${index}`, createdAt: new Date(index) }),
        );
        const daysWith = (micros: number) =>
          withDeadSpace(vials, doses(60), String(micros / 1000))?.daysOfSupply ?? Infinity;
        const [less = 0, more = 0] = [one, other].sort((a, b) => a - b);
        expect(daysWith(more)).toBeLessThanOrEqual(daysWith(less));
        expect(daysWith(0)).toBe(only(vials, doses(60))?.daysOfSupply ?? Infinity);
      }),
    );
  });
});
