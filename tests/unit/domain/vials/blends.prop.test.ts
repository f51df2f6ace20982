import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, compare, ratio, type Ratio } from '#app/domain/decimal/decimal.ts';
import {
  componentDoses,
  contentsOf,
  isSameBlend,
  isSameLabel,
  leftOf,
  stockKey,
  type Blend,
} from '#app/domain/vials/contents.ts';
import {
  correctTo,
  discardAll,
  giveBack,
  MAX_LEDGER_ENTRIES,
  spillFrom,
  takeFrom,
  planDraws,
  type DrawRequest,
} from '#app/domain/vials/stock.ts';
import { isOpen, vialNameKey, type Vial, type VialWithLedger } from '#app/domain/vials/vial.ts';
import { vial } from '#tests/support/vials.ts';

const NAMES = ['BPC-157', 'TB-500', 'GHK-Cu', 'KPV', 'CJC-1295', 'Ipamorelin'];
const at = new Date('2026-03-05T08:00:00Z');
const DAY = '2026-03-05';

/** A full vial with these components. */
export function blendVial(
  amounts: Readonly<Record<string, string>>,
  more: Partial<VialWithLedger> = {},
): VialWithLedger {
  const components = Object.entries(amounts).map(([name, amount]) => ({
    name,
    amount,
    changedMg: '0',
    foldedMg: '0',
  }));
  const name = components.map((component) => component.name).join(' + ');
  return vial({ name, components, totalAmount: components[0]?.amount ?? '', ...more });
}

const mg = fc
  .integer({ min: 1, max: 20_000 })
  .map((micrograms) => new Decimal(micrograms).div(1000).toFixed());
const anyVial = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 6 })
  .chain((names) =>
    fc.tuple(fc.constant(names), fc.array(mg, { minLength: names.length, maxLength: names.length })),
  )
  .map(([names, amounts]) => {
    const [name = '', ...others] = names;
    if (others.length === 0) return vial({ name, totalAmount: amounts[0] ?? '1' });
    return blendVial(Object.fromEntries(names.map((one, index) => [one, amounts[index] ?? '1'])));
  });

const isSame = (a: Ratio<'mg'>, b: Ratio<'mg'>) => compare(a, b) === 0;

/** The components decrease in proportion: each has the same share of its total left. */
function fallTogether(found: VialWithLedger): void {
  const contents = contentsOf(found);
  const [first] = contents;
  contents.forEach((component, index) => {
    const left = leftOf(found, index);
    const own: Ratio<'mg'> = { n: left.n, d: left.d };
    const scaled = ratio<'mg'>(new Decimal(first?.amount ?? '1'), new Decimal(component.amount));
    expect(isSame({ n: own.n * scaled.n, d: own.d * scaled.d }, leftOf(found))).toBe(true);
  });
}

type Step = { kind: 'take' | 'undo' | 'spill' | 'correct'; mg: string; of: number };
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('take', 'take', 'take', 'undo', 'spill', 'correct'),
  mg,
  of: fc.nat(5),
});

describe('law: the components of a blend', () => {
  it('decrease in proportion, whichever component a draw is stated in', () => {
    fc.assert(
      fc.property(anyVial, fc.array(step, { maxLength: 25 }), (full, steps) => {
        let found = full;
        let lost = 0;
        steps.forEach(({ kind, mg: amount, of }, index) => {
          const component = of % contentsOf(found).length;
          const id = `entry-${index}`;
          if (kind === 'take') found = takeFrom(found, { id, mg: amount, component, at });
          if (kind === 'spill') found = spillFrom(found, { id, mg: amount, component, at });
          if (kind === 'undo') found = giveBack(found, { id: `entry-${of}`, at });
          if (kind === 'correct') {
            const to = new Decimal(amount).gt(found.totalAmount) ? found.totalAmount : amount;
            found = correctTo(found, { id, remaining: to, at, reason: null });
            if (found.ledger.at(-1)?.id === id) lost += 1;
            expect(new Decimal(found.remaining).eq(to)).toBe(true);
          }
          fallTogether(found);
        });
        expect(lost).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });

  it('return to exactly the same amounts when a dose is undone', () => {
    fc.assert(
      fc.property(
        anyVial,
        fc.array(fc.tuple(mg, fc.nat(5)), { minLength: 1, maxLength: 12 }),
        (full, draws) => {
          let found = full;
          draws.forEach(([amount, of], index) => {
            const component = of % contentsOf(full).length;
            found = takeFrom(found, { id: `dose-${index}`, mg: amount, component, at });
          });
          draws.forEach((_draw, index) => (found = giveBack(found, { id: `dose-${index}`, at })));
          expect(found.remaining).toBe(full.remaining);
          expect(found.status).toBe(full.status);
          contentsOf(full).forEach((_component, index) =>
            expect(isSame(leftOf(found, index), leftOf(full, index))).toBe(true),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('are used up exactly when the whole amount of any one is drawn', () => {
    fc.assert(
      fc.property(anyVial, fc.nat(5), (full, of) => {
        const component = of % contentsOf(full).length;
        const amount = contentsOf(full)[component]?.amount ?? '0';
        const found = takeFrom(full, { id: 'all', mg: amount, component, at });
        expect(found).toMatchObject({ remaining: '0', status: 'empty' });
        expect(discardAll(full, { id: 'gone', at })).toMatchObject({ remaining: '0', status: 'discarded' });
      }),
    );
  });

  it('decrease in proportion when the start of a long ledger is folded', () => {
    let found = blendVial({ 'BPC-157': '70', 'TB-500': '30' });
    for (let index = 0; index < MAX_LEDGER_ENTRIES + 10; index += 1)
      found = takeFrom(found, { id: `dose-${index}`, mg: '0.003', component: index % 2, at });
    const left = new Decimal(70)
      .minus(new Decimal('0.003').times(1005))
      .minus(new Decimal('0.003').times(1005).times(70).div(30));
    expect(new Decimal(found.remaining).minus(left).abs().lt('0.000000000001')).toBe(true);
    fallTogether(found);
  });
});

describe('law: the draws of a dose of a blend', () => {
  it('add up to the dose over all vials and keep the proportions of the components', () => {
    fc.assert(
      fc.property(anyVial, mg, fc.nat(5), fc.integer({ min: 1, max: 4 }), (one, dose, of, count) => {
        const vials = Array.from({ length: count }, (_, index) => ({ ...one, id: `vial_${index}` }));
        const contents = contentsOf(one);
        const doseOf = contents[of % contents.length]?.name ?? '';
        const { draws, blend } = planDraws(vials, {
          name: one.name,
          doseOf,
          doseMg: dose,
          day: DAY,
          syringe: 'u100-1ml',
        });
        expect(draws.reduce((sum, draw) => sum.plus(draw.mg), new Decimal(0)).eq(dose)).toBe(true);
        const parts = componentDoses(one.name, new Decimal(dose), blend);
        expect(parts.map(({ name }) => name)).toEqual(contents.map(({ name }) => name));
        const [first] = parts;
        parts.forEach((part, index) => {
          const [own, base] = [contents[index], contents[0]];
          const left = { n: part.mg.n, d: part.mg.d };
          const scaled = ratio<'mg'>(new Decimal(base?.amount ?? 1), new Decimal(own?.amount ?? 1));
          expect(isSame({ n: left.n * scaled.n, d: left.d * scaled.d }, first?.mg ?? left)).toBe(true);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('never come from another stock unless that vial was chosen', () => {
    fc.assert(
      fc.property(
        fc.array(anyVial, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...NAMES),
        mg,
        (made, name, dose) => {
          const vials = made.map((one, index) => ({ ...one, id: `vial_${index}` }));
          const request: DrawRequest = { name, doseMg: dose, day: DAY, syringe: 'u100-1ml' };
          for (const { compoundId } of planDraws(vials, request).draws)
            expect(stockKey(vials.find(({ id }) => id === compoundId) ?? blendVial({}))).toBe(
              vialNameKey(name),
            );
          for (const plan of vials.filter(({ components }) => components !== undefined)) {
            const { draws } = planDraws(vials, { ...request, components: plan.components });
            for (const { compoundId } of draws)
              expect(stockKey(vials.find(({ id }) => id === compoundId) ?? plan)).toBe(stockKey(plan));
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('choosing the vials for a dose', () => {
  const single = vial({ id: 'single' });
  const blend = blendVial({ 'BPC-157': '5', 'TB-500': '5' }, { id: 'blend' });
  const double = blendVial({ 'TB-500': '10', 'BPC-157': '10' }, { id: 'double', name: 'Wolverine' });
  const uneven = blendVial({ 'BPC-157': '10', 'TB-500': '5' }, { id: 'uneven' });
  const drawn = (vials: readonly Vial[], more: Partial<DrawRequest>) =>
    planDraws(vials, { name: 'BPC-157', doseMg: '0.25', day: DAY, syringe: 'u100-1ml', ...more }).draws;

  it('does not take a single peptide from a blend that contains it', () => {
    expect(isOpen(blend)).toBe(true);
    expect(drawn([blend, double], {})).toEqual([]);
    expect(drawn([blend, single], {})).toMatchObject([{ compoundId: 'single' }]);
  });

  it('takes a single peptide from a blend that the dose or its plan names', () => {
    expect(drawn([blend, single], { compoundId: 'blend' })).toMatchObject([
      { compoundId: 'blend', mg: '0.25', ml: '0.100' },
    ]);
    expect(drawn([blend, single], { preferredCompoundId: 'blend' })).toMatchObject([{ compoundId: 'blend' }]);
    const named = drawn([double], { compoundId: 'double' });
    expect(named).toMatchObject([{ mg: '0.25', component: 1, units: '5' }]);
  });

  it('does not take a blend from a single peptide or from other proportions', () => {
    const plan = { name: 'Healing', doseOf: 'TB-500', components: blend.components };
    expect(drawn([single, uneven], plan)).toEqual([]);
    expect(drawn([single, uneven, double], plan)).toMatchObject([{ compoundId: 'double' }]);
    expect(
      planDraws([single, uneven], { ...plan, doseMg: '1', day: DAY, syringe: 'u100-1ml' }).blend,
    ).toEqual({
      doseOf: 'TB-500',
      components: [
        { name: 'BPC-157', amount: '5' },
        { name: 'TB-500', amount: '5' },
      ],
    });
  });

  it('continues with other vials of the same proportions, whatever their names', () => {
    expect(drawn([blend, double], { name: 'BPC-157 + TB-500', doseMg: '6' })).toMatchObject([
      { compoundId: 'blend', mg: '5' },
      { compoundId: 'double', mg: '1', component: 1 },
    ]);
  });

  it('finds a blend by its own name', () => {
    expect(drawn([double], { name: 'wolverine' })).toMatchObject([{ compoundId: 'double' }]);
    expect(drawn([double, vial({ id: 'other', name: 'Wolverine' })], { name: 'wolverine' })).toMatchObject([
      { compoundId: 'other' },
    ]);
  });
});

describe('two blends', () => {
  const components = [
    { name: 'BPC-157', amount: '5' },
    { name: 'TB-500', amount: '10' },
  ];
  const blend: Blend = { doseOf: 'BPC-157', components };

  it('are the same if they have the same contents, however written and stored', () => {
    expect(isSameBlend(blend, structuredClone(blend))).toBe(true);
    const turned = components.map(({ name, amount }) => ({ amount: `${amount}.0`, changedMg: '-1', name }));
    expect(isSameBlend(blend, { components: turned, doseOf: 'BPC-157' })).toBe(true);
    expect(isSameBlend(null, undefined)).toBe(true);
    expect(isSameLabel(undefined, [])).toBe(true);
  });

  it('differ by the dosed component, a name, an amount, the order and the count', () => {
    const [first, second] = components.map((component) => ({ ...component }));
    if (!first || !second) return expect.unreachable();
    for (const other of [
      { ...blend, doseOf: 'TB-500' },
      { ...blend, components: [first, { ...second, name: 'TB-50' }] },
      { ...blend, components: [{ ...first, amount: '5.1' }, second] },
      { ...blend, components: [second, first] },
      { ...blend, components: [first] },
      { ...blend, components: [...components, { name: 'KPV', amount: '1' }] },
      null,
    ]) {
      expect(isSameBlend(blend, other)).toBe(false);
      expect(isSameBlend(other, blend)).toBe(false);
    }
  });
});
