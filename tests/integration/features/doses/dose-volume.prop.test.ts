import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { isAppError } from '#app/domain/errors.ts';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { logDose, missDose, skipDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { stockedVial, storedDose, storedSchedule } from '#tests/support/doses.ts';
import { newPerson, type Person } from '#tests/support/people.ts';

let db: TestDatabase;
let people = 0;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '1000' } });
});
afterAll(() => db.dispose());

/** Number of runs; `VOLUME_RUNS` sets a higher one. */
const RUNS = Number(process.env['VOLUME_RUNS'] ?? 12);
const DOSES = 4;
const VIALS = 3;

const amount = fc.integer({ min: 1, max: 3_000_000 }).map((nanograms) => String(nanograms / 1000));
const action = fc.oneof(
  fc.record({
    kind: fc.constant('take' as const),
    dose: fc.nat(DOSES - 1),
    amount: fc.option(amount, { nil: undefined }),
    vial: fc.option(fc.nat(VIALS - 1), { nil: undefined }),
  }),
  fc.record({
    kind: fc.constantFrom('undo' as const, 'skip' as const, 'miss' as const),
    dose: fc.nat(DOSES - 1),
  }),
  fc.record({
    kind: fc.constant('log' as const),
    amount,
    vial: fc.option(fc.nat(VIALS - 1), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('undo-log' as const), nth: fc.nat(3) }),
);

type Step = typeof action extends fc.Arbitrary<infer T> ? T : never;

interface World {
  person: Person;
  doses: string[];
  vials: string[];
  logged: string[];
}

async function newWorld(): Promise<World> {
  people += 1;
  const person = await newPerson(db, `volume${people}@example.org`, { plan: 'trial' });
  const schedule = await storedSchedule(db, person);
  const at = (hour: number) => new Date(db.clock.now().getTime() - hour * 3_600_000);
  const vials = [];
  for (const totalAmount of ['1', '5', '2.5']) vials.push((await stockedVial(person, { totalAmount })).id);
  const doses = [];
  for (let hour = 0; hour < DOSES; hour += 1) doses.push((await storedDose(db, schedule, at(hour))).id);
  return { person, doses, vials, logged: [] };
}

/** Does one step and confirms every question; a rejected step changes nothing. */
async function perform(world: World, step: Step): Promise<void> {
  const { ctx } = world.person;
  const confirmed = [...DOSE_WARNINGS];
  try {
    if (step.kind === 'undo-log') {
      const id = world.logged[step.nth % Math.max(1, world.logged.length)];
      if (id !== undefined) await undoDose(ctx, id);
      return;
    }
    const compoundId = 'vial' in step && step.vial !== undefined ? world.vials[step.vial] : undefined;
    if (step.kind === 'log') {
      const input = {
        name: 'bpc-157',
        actualDose: step.amount,
        doseUnit: 'mcg' as const,
        compoundId,
        confirmed,
      };
      const outcome = await logDose(ctx, input);
      if (outcome.done) world.logged.push(outcome.dose.id);
      return;
    }
    const id = world.doses[step.dose] ?? '';
    if (step.kind === 'take') await takeDose(ctx, id, { actualDose: step.amount, compoundId, confirmed });
    else await { undo: undoDose, skip: skipDose, miss: missDose }[step.kind](ctx, id);
  } catch (error) {
    if (!isAppError(error)) throw error;
  }
}

/** The volume in the vials by their ledgers, and the volume drawn by taken doses. */
async function balance({ person, vials, doses, logged }: World) {
  const owner = person.signedIn.user.id;
  const books = await Promise.all(vials.map((id) => db.repos.vials.find(owner, id)));
  const all = await Promise.all([...doses, ...logged].map((id) => db.repos.doses.find(owner, id)));
  const taken = all.filter((dose) => dose?.status === 'taken');
  const sum = (texts: string[]) => texts.reduce((total, text) => total.plus(text), new Decimal(0));
  return {
    inVials: sum(books.map((book) => book?.remaining ?? '0')),
    drawn: sum(taken.flatMap((dose) => dose?.draws ?? []).map(({ mg }) => mg)),
    doses: taken.map((dose) => ({
      drawn: sum((dose?.draws ?? []).map(({ mg }) => mg)).toFixed(),
      said: new Decimal(dose?.actualDose ?? '0').times(dose?.doseUnit === 'mcg' ? '0.001' : '1').toFixed(),
      none: (dose?.draws ?? []).length === 0,
    })),
    idle: all.filter((dose) => dose !== null && dose.status !== 'taken').flatMap((dose) => dose?.draws ?? []),
  };
}

describe('the total volume of vials and taken doses', () => {
  it('law: stays the same when doses are taken, undone, skipped and logged in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 14 }), async (steps) => {
        const world = await newWorld();
        for (const step of steps) await perform(world, step);
        const { inVials, drawn, doses, idle } = await balance(world);
        expect(inVials.plus(drawn).toFixed()).toBe('8.5');
        expect(idle).toEqual([]);
        for (const dose of doses) if (!dose.none) expect(dose.drawn).toBe(dose.said);
      }),
      { numRuns: RUNS },
    );
  });

  it('law: stays the same when they run concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 10 }), async (steps) => {
        const world = await newWorld();
        await Promise.all(steps.map((step) => perform(world, step)));
        const { inVials, drawn, idle } = await balance(world);
        expect(inVials.plus(drawn).toFixed()).toBe('8.5');
        expect(idle).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});
