import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { logDose, undoDose } from '#app/features/doses/doses.server.ts';
import { runImport } from '#app/features/import/import.server.ts';
import { allRecalledDoses, findRecall, recalledDoses } from '#app/features/lots/recall.server.ts';
import {
  addVial,
  correctRemaining,
  deleteVial,
  discardVial,
  updateVial,
} from '#app/features/vials/vials.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const LOTS = ['A', 'B', 'C'] as const;
const place = fc.nat({ max: 20 });

/** The owner's steps with vials and doses; numbers choose among the existing ones. */
const STEP = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('add' as const), lot: fc.constantFrom(...LOTS) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('take' as const),
      vial: place,
      mcg: fc.integer({ min: 1, max: 400 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), dose: place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      vial: place,
      lot: fc.constantFrom(...LOTS, null),
    }),
  },
  fc.record({ do: fc.constant('correct' as const), vial: place, tenths: fc.nat({ max: 40 }) }),
  fc.record({ do: fc.constant('discard' as const), vial: place }),
  fc.record({ do: fc.constant('delete' as const), vial: place }),
  fc.record({ do: fc.constant('import' as const), doses: fc.integer({ min: 1, max: 4 }) }),
);
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

/** A naive model of the same, with lists that are searched from end to end. */
interface Model {
  vials: { id: string; lot: string | null; isGone: boolean; isOver: boolean }[];
  doses: { id: string; vial: string; mcg: number }[];
}

const nth = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

async function act(ctx: Ctx, model: Model, step: Step): Promise<void> {
  const there = model.vials.filter(({ isGone }) => !isGone);
  const usable = there.filter(({ isOver }) => !isOver);
  if (step.do === 'add') {
    const { id } = await addVial(ctx, {
      name: 'BPC-157',
      totalAmount: '100',
      waterMl: '2',
      reconstitutionDate: '2026-01-01',
      lot: step.lot,
    });
    model.vials.push({ id, lot: step.lot, isGone: false, isOver: false });
  } else if (step.do === 'undo') {
    const dose = nth(model.doses, step.dose);
    if (dose === undefined) return;
    await undoDose(ctx, dose.id);
    model.doses = model.doses.filter(({ id }) => id !== dose.id);
  } else if (step.do === 'take') {
    const vial = nth(usable, step.vial);
    if (vial === undefined) return;
    const dose = { name: 'BPC-157', actualDose: String(step.mcg), doseUnit: 'mcg' as const };
    const outcome = await logDose(ctx, { ...dose, compoundId: vial.id, confirmed: [...DOSE_WARNINGS] });
    if (!outcome.done) expect.unreachable('it was not logged');
    else model.doses.push({ id: outcome.dose.id, vial: vial.id, mcg: step.mcg });
  } else if (step.do === 'import') {
    // Imported doses have the same compound but no vial, because it is not known what they were drawn from.
    const rows = Array.from(
      { length: step.doses },
      () => `2026-01-02 08:00,BPC-157,250,mcg,,${(imported += 1)}`,
    );
    const text = ['takenAt,name,amount,unit,site,notes', ...rows].join('\n');
    await runImport(ctx, { bytes: new TextEncoder().encode(text) });
  } else {
    const vial = nth(step.do === 'correct' || step.do === 'discard' ? usable : there, step.vial);
    if (vial === undefined) return;
    if (step.do === 'move') await updateVial(ctx, vial.id, { lot: (vial.lot = step.lot) });
    if (step.do === 'correct')
      await correctRemaining(ctx, vial.id, { remainingAmount: String(50 + step.tenths / 10) });
    if (step.do === 'discard') await discardVial(ctx, vial.id).then(() => (vial.isOver = true));
    if (step.do === 'delete') await deleteVial(ctx, vial.id).then(() => (vial.isGone = true));
  }
}

let runs = 0;
let imported = 0;

it('a recall finds the same doses as a search through everything, after any moves, undos, corrections and deletions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 10, maxLength: 40 }), async (steps) => {
      const person = await newPerson(db, `recall-${(runs += 1)}@example.org`, { plan: 'trial' });
      const ownerId = person.signedIn.user.id;
      const model: Model = { vials: [], doses: [] };
      for (const step of steps) await act(person.ctx, model, step);
      for (const lot of LOTS) {
        const vials = model.vials.filter((vial) => vial.lot === lot).map(({ id }) => id);
        const expected = model.doses.filter(({ vial }) => vials.includes(vial));
        const recall = await findRecall(person.ctx, ownerId, lot).catch(() => null);
        if (recall === null) {
          // This number was never used on a vial.
          expect(expected).toEqual([]);
          continue;
        }
        const found = [];
        for (let page = 1; ; page += 1) {
          const { doses, total } = await recalledDoses(person.ctx, ownerId, recall, { page, limit: 3 });
          expect(total).toBe(expected.length);
          found.push(...doses);
          if (doses.length < 3) break;
        }
        const amounts = found.map(({ dose, mg }) => [dose.id, Number(mg)]);
        expect(Object.fromEntries(amounts)).toEqual(
          Object.fromEntries(expected.map(({ id, mcg }) => [id, mcg / 1000])),
        );
        expect(found).toHaveLength(expected.length);
        const streamed: string[] = [];
        for await (const batch of allRecalledDoses(person.ctx, ownerId, recall))
          streamed.push(...batch.map(({ dose }) => dose.id));
        expect(streamed).toEqual(found.map(({ dose }) => dose.id));
      }
    }),
    { numRuns: 12 },
  );
});
