import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  correctTo,
  discardAll,
  giveBack,
  spillFrom,
  takeFrom,
  MAX_LEDGER_ENTRIES,
  planDraws,
} from '#app/domain/vials/stock.ts';
import type { SubstanceUnit } from '#app/domain/calculator/calculation.ts';
import type { VialWithLedger } from '#app/domain/vials/vial.ts';
import { vial } from '#tests/support/vials.ts';

/** Amounts are whole micrograms here: sums of whole numbers are the oracle for sums of decimals. */
const mgText = (micrograms: number): string =>
  `${Math.trunc(micrograms / 1000)}.${String(micrograms % 1000).padStart(3, '0')}`;
const micrograms = (text: string): number => Math.round(Number(text) * 1000);

const at = new Date('2026-03-05T08:00:00Z');
const NAMES = ['BPC-157', 'bpc-157 ', 'TB-500'];

type Step =
  | {
      kind: 'take';
      name: number;
      dose: number;
      measure: SubstanceUnit;
      named: number | null;
      preferred: number | null;
    }
  | { kind: 'undo' | 'undo-before' | 'take-again'; which: number };

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      name: fc.nat(2),
      dose: fc.integer({ min: 1, max: 4000 }),
      measure: fc.constantFrom('mg' as const, 'IU' as const),
      named: fc.option(fc.nat(3), { freq: 4 }),
      preferred: fc.option(fc.nat(3)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('undo' as const, 'undo-before' as const, 'take-again' as const),
      which: fc.nat(50),
    }),
  },
);

/** What the vials are: powder or ready to use, in mg or IU. */
const CONTAINERS: readonly Partial<VialWithLedger>[] = [
  {},
  { amountUnit: 'IU' },
  { form: 'pen', clickMl: '0.01', reconstitutionDate: null },
  { form: 'spray', amountUnit: 'IU', sprayMl: '0.1', reconstitutionDate: null },
  { form: 'capsule', pieces: '10', waterMl: null, reconstitutionDate: null },
];

const vialsArbitrary = fc
  .array(
    fc.record({
      name: fc.nat(2),
      total: fc.integer({ min: 1, max: 6000 }),
      container: fc.constantFrom(...CONTAINERS),
      day: fc.constantFrom('2026-02-01', '2026-03-01', '2026-03-04'),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((specs) =>
    specs.map(({ name, total, day, container }, index) =>
      vial({
        id: `vial_${index}`,
        name: NAMES[name] ?? '',
        totalAmount: mgText(total),
        reconstitutionDate: day,
        ...container,
      }),
    ),
  );

interface Taking {
  key: string;
  draws: readonly { compoundId: string; mg: string }[];
  state: 'out' | 'back';
}

/** A small model that takes and undoes doses as the services do. */
class World {
  readonly takings: Taking[] = [];
  constructor(public vials: VialWithLedger[]) {}

  change(id: string, by: (found: VialWithLedger) => VialWithLedger): void {
    this.vials = this.vials.map((found) => (found.id === id ? by(found) : found));
  }

  apply({ key, draws }: Taking): void {
    for (const { compoundId, mg } of draws)
      this.change(compoundId, (found) => takeFrom(found, { id: `${key}:${compoundId}`, mg, at }));
  }

  giveBack({ key, draws }: Taking): void {
    for (const { compoundId } of draws)
      this.change(compoundId, (found) => giveBack(found, { id: `${key}:${compoundId}`, at }));
  }

  run(step: Step): void {
    const taking =
      step.kind === 'take' ? undefined : this.takings[step.which % Math.max(1, this.takings.length)];
    if (step.kind === 'take') {
      const { draws } = planDraws(this.vials, {
        name: NAMES[step.name] ?? '',
        doseMg: mgText(step.dose),
        measure: step.measure,
        compoundId: step.named === null ? null : this.vials[step.named]?.id,
        preferredCompoundId: step.preferred === null ? null : this.vials[step.preferred]?.id,
        day: '2026-03-05',
        syringe: 'u100-1ml',
      });
      const drawnFrom = draws.map(({ compoundId }) => this.vials.find(({ id }) => id === compoundId));
      for (const one of drawnFrom) expect(one?.amountUnit ?? 'mg').toBe(step.measure);
      const total = draws.reduce((sum, { mg }) => sum + micrograms(mg), 0);
      expect([0, step.dose]).toContain(total);
      const fresh: Taking = { key: `dose-${this.takings.length}`, draws, state: 'out' };
      this.takings.push(fresh);
      this.apply(fresh);
    } else if (taking !== undefined) {
      if (step.kind === 'take-again') this.apply(taking);
      else {
        this.giveBack(taking);
        taking.state = 'back';
      }
    }
  }

  out(id: string): number {
    return this.takings
      .filter(({ state }) => state === 'out')
      .flatMap(({ draws }) => draws)
      .filter(({ compoundId }) => compoundId === id)
      .reduce((sum, { mg }) => sum + micrograms(mg), 0);
  }
}

describe('law: volume is conserved across vials', () => {
  it('through any sequence of doses, undos and repeats of both', () => {
    fc.assert(
      fc.property(vialsArbitrary, fc.array(stepArbitrary, { maxLength: 30 }), (vials, steps) => {
        const world = new World(vials);
        for (const step of steps) {
          world.run(step);
          for (const { id, remaining, totalAmount } of world.vials)
            expect(micrograms(remaining)).toBe(micrograms(totalAmount) - world.out(id));
        }
      }),
    );
  });

  it('and undoing everything restores every vial', () => {
    fc.assert(
      fc.property(vialsArbitrary, fc.array(stepArbitrary, { maxLength: 20 }), (vials, steps) => {
        const world = new World(vials);
        steps.forEach((step) => world.run(step));
        world.takings.forEach((taking) => world.giveBack(taking));
        const seen = ({ id, remaining, status, openedAt }: VialWithLedger) => ({
          id,
          remaining: micrograms(remaining),
          status,
          openedAt,
        });
        expect(world.vials.map(seen)).toEqual(vials.map(seen));
      }),
    );
  });
});

type Change = (found: VialWithLedger, id: string) => VialWithLedger;

const changeArbitrary: fc.Arbitrary<Change> = fc
  .tuple(
    fc.constantFrom('take', 'undo', 'spill', 'correct', 'discard'),
    fc.integer({ min: 1, max: 5000 }),
    fc.nat(30),
  )
  .map(([kind, amount, which]) => (found: VialWithLedger, id: string) => {
    const mg = mgText(amount);
    if (kind === 'take') return takeFrom(found, { id, mg, at });
    if (kind === 'undo')
      return giveBack(found, { id: found.ledger[which % Math.max(1, found.ledger.length)]?.id ?? id, at });
    if (kind === 'spill') return spillFrom(found, { id, mg, at });
    if (kind === 'correct') return correctTo(found, { id, remaining: mg, at, reason: null });
    return discardAll(found, { id, at });
  });

describe('law: the remaining amount is the total less the ledger', () => {
  const sum = ({ totalAmount, foldedMg, ledger }: VialWithLedger) =>
    micrograms(totalAmount) + micrograms(foldedMg) + ledger.reduce((all, { mg }) => all + micrograms(mg), 0);

  it('to the last digit, whatever happens to a vial', () => {
    fc.assert(
      fc.property(fc.array(changeArbitrary, { maxLength: 40 }), (changes) => {
        let found = vial();
        changes.forEach((change, index) => {
          found = change(found, `entry-${index}`);
          expect(micrograms(found.remaining)).toBe(sum(found));
        });
        if (found.status === 'discarded') expect(Number(found.remaining)).toBe(0);
      }),
    );
  });

  it('even if the start of a long ledger is folded into one sum', () => {
    let found = vial({ totalAmount: '100' });
    for (let index = 0; index < MAX_LEDGER_ENTRIES + 10; index += 1)
      found = takeFrom(found, { id: `dose-${index}`, mg: '0.001', at });
    expect(found.ledger.length).toBeLessThanOrEqual(MAX_LEDGER_ENTRIES);
    expect(found.foldedCount + found.ledger.length).toBe(MAX_LEDGER_ENTRIES + 10);
    expect(found.remaining).toBe('97.99');
    expect(found.status).toBe('in_use');
  });
});
