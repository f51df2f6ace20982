import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook.ts';
import { DOSE_WARNINGS } from '#app/domain/doses/dose-warnings.ts';
import { markMissedDoses } from '#app/features/doses/dose-effects.server.ts';
import { logDose, setDoseSite, skipDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { takeDoses } from '#app/features/doses/doses-together.server.ts';
import { moveDose, savePause, swapSchedule } from '#app/features/schedules/plan-changes.server.ts';
import { createSchedule, deleteSchedule, toggleSchedule } from '#app/features/schedules/schedules.server.ts';
import { makeLadderPlan } from '#app/features/vials/ladder-plan.server.ts';
import { addVial, correctRemaining, deleteVial, discardVial } from '#app/features/vials/vials.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { DoseRecord } from '#models/index.server.ts';
import { refusing, stored } from '#tests/support/acts.ts';
import { everyActTwice } from '#tests/support/conflicts.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { newPerson, type Person } from '#tests/support/people.ts';
import { reposOf } from '#tests/support/repositories.ts';

let db: TestDatabase;
let people = 0;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '1000' } });
});
afterAll(() => db.dispose());

const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(db.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
const confirmed = [...DOSE_WARNINGS];

/** Somebody with a vial, a schedule that ends with it and its doses, a webhook and an unread reminder. */
class World {
  readonly person: Person;
  readonly vialId: string;
  readonly scheduleId: string;
  readonly webhookId: string;
  readonly doses: DoseRecord[];

  constructor(facts: Pick<World, 'person' | 'vialId' | 'scheduleId' | 'webhookId' | 'doses'>) {
    const { person, vialId, scheduleId, webhookId, doses } = facts;
    [this.person, this.vialId, this.scheduleId] = [person, vialId, scheduleId];
    [this.webhookId, this.doses] = [webhookId, doses];
  }

  static async open(totalAmount = '5'): Promise<World> {
    people += 1;
    const person = await newPerson(db, `act${people}@example.org`, { plan: 'trial' });
    const { ctx } = person;
    const ownerId = person.signedIn.user.id;
    const vial = await addVial(ctx, {
      ...{ name: 'BPC-157', concentration: '2.5', totalAmount, lot: 'A-1' },
      reconstitutionDate: dayIn(-1),
    });
    const { id } = await createSchedule(ctx, {
      ...{ name: 'BPC-157', compoundId: vial.id, endsWithVial: true, confirm: true },
      ...{ doseAmount: '250', doseUnit: 'mcg', frequency: { kind: 'daily' }, times: ['08:00'] },
      ...{ timeZone: 'UTC', startDate: dayIn(-2), endDate: dayIn(3) },
    });
    const webhookId = `hook_${people}`;
    await db.repos.webhooks.create(
      {
        ...{ id: webhookId, userId: ownerId, url: 'https://example.org/', secret: 'sealed' },
        ...{ oldSecret: null, oldSecretUntil: null },
        ...{ events: [...WEBHOOK_EVENTS], createdAt: db.clock.now(), failingSince: null },
      },
      1,
    );
    const doses = await db.repos.doses.list(ownerId, { scheduleId: id });
    return new World({ person, vialId: vial.id, scheduleId: id, webhookId, doses });
  }

  /** The dose of a day, counted from two days ago. */
  dose(day: number): string {
    return this.doses[day]?.id ?? '';
  }

  take(ctx: Ctx, day: number) {
    return takeDose(ctx, this.dose(day), { site: 'deltoid-left', confirmed });
  }
}

/** What people and the worker do, each with what was done before. */
const ACTS: Record<
  string,
  {
    before?: (world: World, ctx: Ctx) => Promise<unknown>;
    act: (world: World, ctx: Ctx) => Promise<unknown>;
    holds?: string;
  }
> = {
  'taking a dose': { act: (world, ctx) => world.take(ctx, 0) },
  'taking the last dose of a vial that ends a schedule': {
    act: (world, ctx) => world.take(ctx, 0),
    holds: '0.25',
  },
  'noting the site of a taken dose': {
    before: (world, ctx) => takeDose(ctx, world.dose(0), { confirmed }),
    act: (world, ctx) => setDoseSite(ctx, world.dose(0), 'deltoid-right'),
  },
  'undoing a dose that has emptied its vial': {
    before: (world, ctx) => world.take(ctx, 0),
    act: (world, ctx) => undoDose(ctx, world.dose(0)),
    holds: '0.25',
  },
  'taking several doses': {
    act: (world, ctx) => takeDoses(ctx, { ids: [world.dose(0), world.dose(1)], confirmed }),
  },
  'skipping a dose': { act: (world, ctx) => skipDose(ctx, world.dose(1)) },
  'logging a dose': {
    act: (_, ctx) => logDose(ctx, { name: 'BPC-157', actualDose: '0.25', site: 'deltoid-left', confirmed }),
  },
  'moving a dose and all after it': {
    act: (world, ctx) => moveDose(ctx, world.dose(3), { dueDate: `${dayIn(1)} 10:00`, scope: 'following' }),
  },
  'undoing a move': {
    before: (world, ctx) => moveDose(ctx, world.dose(3), { dueDate: `${dayIn(1)} 10:00`, scope: 'this' }),
    act: (world, ctx) => undoDose(ctx, world.dose(3)),
  },
  'planning a pause': {
    act: (world, ctx) => savePause(ctx, world.scheduleId, { firstDay: dayIn(1), lastDay: dayIn(2) }),
  },
  'pausing a schedule': { act: (world, ctx) => toggleSchedule(ctx, world.scheduleId, { isActive: false }) },
  'changing the dose of a schedule': {
    act: (world, ctx) =>
      swapSchedule(ctx, world.scheduleId, { fromDay: dayIn(1), doseAmount: '300', confirm: true }),
  },
  'deleting a schedule': { act: (world, ctx) => deleteSchedule(ctx, world.scheduleId) },
  'discarding a vial that ends a schedule': { act: (world, ctx) => discardVial(ctx, world.vialId) },
  'correcting an empty vial': {
    before: (world, ctx) => correctRemaining(ctx, world.vialId, { remainingAmount: '0' }),
    act: (world, ctx) => correctRemaining(ctx, world.vialId, { remainingAmount: '1' }),
  },
  'deleting a vial that ends a schedule': { act: (world, ctx) => deleteVial(ctx, world.vialId) },
  'making a ladder the plan': {
    act: (_, ctx) =>
      makeLadderPlan(
        ctx,
        {
          ...{ peptideAmount: '30', doses: ['2.5', '5', '7.5'], desiredDoseUnit: 'mg', waterVolume: '1.8' },
          ...{ amountUnit: 'mg', syringe: 'u100-1ml', capacityMl: '3' },
        },
        {
          ...{ intent: 'plan', name: 'Tirzepatide', rhythm: 'weekly', startDate: dayIn(1) },
          ...{ time: '08:00', everyWeeks: 4 },
        },
      ),
  },
  'adding a vial of a new lot': {
    act: (_, ctx) => addVial(ctx, { name: 'TB-500', totalAmount: '5', lot: 'B-2' }),
  },
};

describe.each(Object.entries(ACTS))('%s', (_, { before, act, holds }) => {
  it('leaves nothing when any of its commands fails, and everything when it is done', async () => {
    const world = await World.open(holds);
    await before?.(world, world.person.ctx);
    const start = await stored(db);
    for (let which = 1; ; which += 1) {
      const { ctx, isRefused } = refusing(world.person.ctx, which);
      const outcome = await act(world, ctx).then(
        () => 'done',
        (error: Error) => error.message,
      );
      if (!isRefused()) {
        expect(outcome).toBe('done');
        break;
      }
      expect([which, outcome]).toEqual([which, 'refused']);
      expect(await stored(db)).toBe(start);
    }
    expect(await stored(db)).not.toBe(start);
  });
});

it('a dose becomes missed with its webhook event, or stays pending', async () => {
  const world = await World.open();
  const ownerId = world.person.signedIn.user.id;
  const worker = db.ctx(TERMINAL);
  await db.repos.doses.setMissTimes([{ userId: ownerId, id: world.dose(0), missAt: db.clock.now() }]);
  const state = async () => [
    (await db.repos.doses.find(ownerId, world.dose(0)))?.status,
    (await db.repos.webhookDeliveries.list(ownerId, world.webhookId, 10))
      .filter(({ doseId }) => doseId === world.dose(0))
      .map(({ type }) => type),
  ];
  const webhookDeliveries = {
    ...reposOf(worker).webhookDeliveries,
    createMissing: () => Promise.reject(new Error('refused')),
  };
  const refused = { ...worker, repos: worker.repos.with({ webhookDeliveries }) };
  await expect(markMissedDoses(refused)).rejects.toThrow('refused');
  expect(await state()).toEqual(['pending', []]);
  await markMissedDoses(worker);
  expect(await state()).toEqual(['missed', ['dose.missed']]);
});

describe('what several people or browsers do at the same time', () => {
  /** What a vial holds, and what its ledger says. */
  async function balance({ person, vialId }: World) {
    const vial = await db.repos.vials.find(person.signedIn.user.id, vialId);
    const drawn = (vial?.ledger ?? []).reduce((sum, { mg }) => sum.plus(mg), new Decimal(0));
    return { remaining: vial?.remaining, ledger: drawn.plus('5').toFixed(), entries: vial?.ledger.length };
  }

  it('draws a dose once that is taken twice', async () => {
    const world = await World.open();
    const both = await Promise.allSettled([1, 2].map(() => world.take(world.person.ctx, 0)));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'DOSE_ALREADY_LOGGED' },
    });
    expect(await balance(world)).toEqual({ remaining: '4.75', ledger: '4.75', entries: 1 });
  });

  it('keeps a vial what it held, less its ledger, while doses of it are taken and undone', async () => {
    const world = await World.open();
    const { ctx } = world.person;
    const days = world.doses.map((_, day) => day);
    await Promise.all(days.map((day) => world.take(ctx, day)));
    const taken = (5 - 0.25 * days.length).toString();
    expect(await balance(world)).toEqual({ remaining: taken, ledger: taken, entries: days.length });
    await Promise.all([
      ...days.slice(0, 3).map((day) => undoDose(ctx, world.dose(day))),
      correctRemaining(ctx, world.vialId, { remainingAmount: '1' }),
      logDose(ctx, { name: 'BPC-157', actualDose: '0.25', confirmed }),
    ]);
    const { remaining, ledger } = await balance(world);
    expect(remaining).toBe(ledger);
  });

  it('does once what has to be run again because of another change', async () => {
    const world = await World.open();
    const { ctx: plain } = world.person;
    const ctx = { ...plain, transaction: everyActTwice(plain.transaction) };
    await world.take(ctx, 0);
    expect(await balance(world)).toEqual({ remaining: '4.75', ledger: '4.75', entries: 1 });
    await undoDose(ctx, world.dose(0));
    expect(await balance(world)).toEqual({ remaining: '5', ledger: '5', entries: 2 });
    const logged = await logDose(ctx, { name: 'BPC-157', actualDose: '0.5', confirmed });
    expect([logged.done, await balance(world)]).toEqual([
      true,
      { remaining: '4.5', ledger: '4.5', entries: 3 },
    ]);
    await moveDose(ctx, world.dose(3), { dueDate: `${dayIn(1)} 10:00`, scope: 'this' });
    const schedule = await db.repos.schedules.find(world.person.signedIn.user.id, world.scheduleId);
    expect(schedule?.moves).toHaveLength(1);
    await toggleSchedule(ctx, world.scheduleId, { isActive: false });
    await toggleSchedule(ctx, world.scheduleId, { isActive: true });
    const doses = await db.repos.doses.list(world.person.signedIn.user.id, { scheduleId: world.scheduleId });
    expect(doses.map(({ id }) => id).sort()).toEqual(world.doses.map(({ id }) => id).sort());
  });
});
