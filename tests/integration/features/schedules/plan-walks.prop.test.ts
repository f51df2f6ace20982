import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '#app/domain/errors.ts';
import { moveKey, partOn, pauseOn } from '#app/domain/schedules/plan-changes.ts';
import { occurrences, plannedKey } from '#app/domain/schedules/occurrences.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { isFinal } from '#app/domain/vials/vial.ts';
import { skipDose, takeDose, undoDose } from '#app/features/doses/doses.server.ts';
import { generateAllDoses, keyOfDose, lastVialOf } from '#app/features/schedules/dose-generation.server.ts';
import {
  moveDose,
  endPause,
  savePause,
  swapSchedule,
  undoSwap,
} from '#app/features/schedules/plan-changes.server.ts';
import { createSchedule, setEndsWithVial, toggleSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial, correctRemaining, discardVial } from '#app/features/vials/vials.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import type { DoseRecord, ScheduleRecord } from '#models/index.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { BODY, ownerIdOf, premiumPerson } from '#tests/support/schedule-people.ts';
import { isFullSize } from '#tests/support/size.ts';

/** Whatever changes are made to a schedule and its doses, the schedule has exactly the doses its rules give. */
let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '1000' } });
});
afterAll(() => db.dispose());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CONFIRMED = { confirmed: ['TOO_SOON', 'NO_OPEN_VIAL', 'OVER_DRAWN', 'PAST_DATE'] as const };

interface Plan {
  ctx: Ctx;
  id: string;
  vials: string[];
}

const dayIn = (days: number) => new Date(db.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);
const scheduleOf = async ({ ctx, id }: Plan) =>
  (await db.repos.schedules.find(ownerIdOf(ctx), id)) ?? expect.unreachable('the schedule is gone');
const dosesOf = ({ ctx, id }: Plan) => db.repos.doses.list(ownerIdOf(ctx), { scheduleId: id });

/** A dose that can be changed, or a recent one. */
async function someDose(plan: Plan, index: number, status: 'pending' | 'logged') {
  const now = db.clock.now().getTime();
  const near = (await dosesOf(plan)).filter(
    (dose) =>
      (dose.status === 'pending') === (status === 'pending') &&
      Math.abs(dose.dueDate.getTime() - now) < 4 * DAY,
  );
  return near[index % Math.max(1, near.length)]?.id ?? 'none';
}

type Act = (plan: Plan, index: number) => Promise<unknown>;

const ACTS: Record<string, Act> = {
  take: async (plan, index) =>
    takeDose(plan.ctx, await someDose(plan, index % 3, 'pending'), { confirmed: [...CONFIRMED.confirmed] }),
  skip: async (plan, index) => skipDose(plan.ctx, await someDose(plan, index % 3, 'pending')),
  undo: async (plan, index) => undoDose(plan.ctx, await someDose(plan, index, 'logged')),
  async move(plan, index) {
    const id = await someDose(plan, index, 'pending');
    const dueDate = new Date(db.clock.now().getTime() + (index % 60) * HOUR + 17 * 60_000).toISOString();
    return moveDose(plan.ctx, id, { dueDate, scope: index % 2 === 0 ? 'this' : 'following' });
  },
  undoMove: async (plan, index) => undoDose(plan.ctx, await someDose(plan, index, 'pending')),
  pause: ({ ctx, id }, index) =>
    savePause(ctx, id, { firstDay: dayIn(index % 5), lastDay: dayIn((index % 5) + (index % 7)) }),
  async resume(plan, index) {
    const { pauses } = await scheduleOf(plan);
    return endPause(plan.ctx, plan.id, pauses?.[index % Math.max(1, pauses.length)]?.firstDay ?? 'none');
  },
  toggle: async (plan) => toggleSchedule(plan.ctx, plan.id, { isActive: !(await scheduleOf(plan)).isActive }),
  swap: ({ ctx, id, vials }, index) =>
    swapSchedule(ctx, id, {
      ...{ fromDay: dayIn(index % 6), confirm: true },
      ...(index % 3 === 0 ? { doseAmount: '500 mcg' } : { compoundId: vials[index % vials.length] ?? '' }),
    }),
  async undoSwap(plan, index) {
    const { swaps } = await scheduleOf(plan);
    return undoSwap(plan.ctx, plan.id, swaps?.[index % Math.max(1, swaps.length)]?.id ?? 'none');
  },
  empty: ({ ctx, vials }, index) =>
    correctRemaining(ctx, vials[index % vials.length] ?? '', { remainingAmount: '0' }),
  refill: ({ ctx, vials }, index) =>
    correctRemaining(ctx, vials[index % vials.length] ?? '', { remainingAmount: '0.75' }),
  discard: ({ ctx, vials }, index) => discardVial(ctx, vials[index % vials.length] ?? ''),
  endsWithVial: ({ ctx, id }, index) => setEndsWithVial(ctx, id, index % 3 > 0),
  wait: async (_plan, index) => {
    db.clock.advance((index % 30) * HOUR);
    await generateAllDoses(db.ctx(TERMINAL));
  },
};

async function planned(rule: object = {}): Promise<Plan> {
  const ctx = await premiumPerson(db);
  const vialOf = async (totalAmount: string) =>
    (await addVial(ctx, { name: 'BPC-157', concentration: '2.5', totalAmount })).id;
  const vials = [await vialOf('1'), await vialOf('5'), await vialOf('0.5')];
  const body = { ...BODY, startDate: dayIn(0), compoundId: vials[0], endsWithVial: true, ...rule };
  const { id } = await createSchedule(ctx, body);
  return { ctx, id, vials };
}

/** Sequences that once failed. */
const FOUND: [string, number][][] = [
  // A dose taken early is undone a day after its schedule was paused.
  [
    ['take', 1],
    ['toggle', 0],
    ['wait', 2],
    ['undo', 0],
  ],
];

/** The same for a schedule that counts from the last dose. */
const FOUND_CHAINS: [string, number][][] = [
  // Two doses are undone, the earlier one first.
  [
    ['take', 0],
    ['skip', 0],
    ['undo', 0],
    ['undo', 0],
  ],
  // A dose taken early is undone after a swap, while the one before it is pending again.
  [
    ['take', 13],
    ['take', 40],
    ['swap', 8],
    ['undo', 36],
    ['empty', 56],
    ['undo', 37],
  ],
];

/** The schedule is stopped exactly while the vial it ends with is used up, and no dose exists twice. */
async function checkWhole(plan: Plan): Promise<{ schedule: ScheduleRecord; doses: DoseRecord[] }> {
  const [schedule, doses] = [await scheduleOf(plan), await dosesOf(plan)];
  const keys = doses.map((dose) => moveKey(keyOfDose(dose)));
  expect(new Set(keys).size).toBe(keys.length);
  const last = lastVialOf(schedule);
  const vial = last === null ? null : await db.repos.vials.find(ownerIdOf(plan.ctx), last.id);
  const isUsedUp = schedule.endsWithVial === true && vial !== null && isFinal(vial);
  expect(schedule.stopsAt instanceof Date).toBe(isUsedUp);
  return { schedule, doses };
}

/** The generated doses match the schedule. */
async function check(plan: Plan): Promise<void> {
  const now = db.clock.now();
  const { schedule, doses: all } = await checkWhole(plan);
  const logged = new Set(
    all.filter(({ status }) => status !== 'pending').map((dose) => moveKey(keyOfDose(dose))),
  );
  const expected = schedule.isActive
    ? occurrences(schedule, { from: new Date(now.getTime() + 1), to: new Date(now.getTime() + 35 * DAY) })
        .filter((dose) => !logged.has(moveKey(plannedKey(dose))))
        .map((dose) => {
          const { name, compoundId } = partOn(schedule, dose.localDay);
          const { dueDate, doseAmount } = dose;
          return { key: moveKey(plannedKey(dose)), due: dueDate.toISOString(), doseAmount, name, compoundId };
        })
    : [];
  const made = all
    .filter(({ status, dueDate }) => status === 'pending' && dueDate > now && +dueDate < +now + 35 * DAY)
    .map((dose) => {
      const { dueDate, doseAmount, name, compoundId } = dose;
      return { key: moveKey(keyOfDose(dose)), due: dueDate.toISOString(), doseAmount, name, compoundId };
    });
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
  expect(made.sort(byKey)).toEqual(expected.sort(byKey));
}

/**
 * A running schedule that counts from the last dose has one next dose, at the right time and on no paused day. An earlier dose
 * that is pending again after being undone exists in addition.
 */
async function checkChain(plan: Plan): Promise<void> {
  const now = db.clock.now();
  const { schedule, doses } = await checkWhole(plan);
  const { isActive, stopsAt, pauses, timeZone, nextDoseDate } = schedule;
  const open = doses.filter(({ status, dueDate }) => status === 'pending' && (isActive || dueDate > now));
  if (!isActive) return expect(open).toEqual([]);
  const openIds = new Set(open.map(({ id }) => id));
  for (const { chain } of open) expect(openIds).not.toContain(chain?.after);
  const dates = open.map(({ dueDate }) => dueDate.getTime());
  expect(nextDoseDate?.getTime()).toBe(dates.length === 0 ? undefined : Math.max(...dates));
  const followed = new Set(doses.map(({ chain }) => chain?.after));
  const waiting = open.filter(({ id }) => !followed.has(id));
  expect(waiting.length).toBeLessThanOrEqual(1);
  if (!stopsAt) expect(waiting.length).toBe(1);
  const [next] = waiting;
  if (next === undefined) return;
  expect(pauseOn(pauses, calendarDay(next.dueDate, timeZone))).toBeNull();
  if (stopsAt) expect(next.dueDate < stopsAt).toBe(true);
  const taken = doses.flatMap(({ status, takenAt }) => (status === 'taken' && takenAt ? [+takenAt] : []));
  // A dose moved by hand may be due at any time.
  if (next.movedFrom === null || next.movedFrom === undefined)
    expect(+next.dueDate).toBeGreaterThanOrEqual(Math.max(0, ...taken) + 8 * HOUR);
}

/** Random walks through schedules of a kind. */
function walks(
  { found = [], rule = {} }: { found?: [string, number][][]; rule?: object },
  holds: (plan: Plan) => Promise<void>,
): Promise<void> {
  const acts = fc.array(fc.tuple(fc.constantFrom(...Object.keys(ACTS)), fc.nat(59)), {
    minLength: 5,
    maxLength: 15,
  });
  return fc.assert(
    fc.asyncProperty(acts, async (steps) => {
      const plan = await planned(rule);
      for (const [name, index] of steps) {
        try {
          await ACTS[name]?.(plan, index);
        } catch (error) {
          // A step that is rejected changes nothing.
          if (!isAppError(error)) throw error;
        }
        await holds(plan);
      }
    }),
    {
      ...{ numRuns: (isFullSize ? 400 : 8) + found.length, endOnFailure: true },
      examples: found.map((steps): [[string, number][]] => [steps]),
    },
  );
}

describe('a schedule after any sequence of changes', () => {
  it(
    'has each of its doses once, and is stopped exactly while its vial is used up',
    () => walks({ found: FOUND }, check),
    isFullSize ? 900_000 : undefined,
  );

  it(
    'has one next dose, on no paused day, until its vial is used up, if it counts from the last dose',
    () =>
      walks(
        { found: FOUND_CHAINS, rule: { frequency: { kind: 'after-last', everyHours: 8 }, times: undefined } },
        checkChain,
      ),
    isFullSize ? 900_000 : undefined,
  );
});
