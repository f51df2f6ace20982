import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chainStep,
  isOffTime,
  type ChainedDose,
  type ChainPlan,
  occurrences,
  previewDoses,
} from '#app/domain/schedules/occurrences.ts';
import { ODD_ZONES, rule, ZONES } from '#tests/support/schedules.ts';
import { sized } from '#tests/support/size.ts';

const HOUR = 3_600_000;
const FIRST = Date.parse('2026-03-01T08:00:00Z');
const plan = (everyHours = 8, more: Partial<ChainPlan> = {}): ChainPlan => ({
  everyHours,
  firstDueAt: new Date(FIRST),
  lastTakenBefore: null,
  resumedAt: null,
  timeZone: 'UTC',
  ...more,
});
type Dose = { -readonly [Key in keyof ChainedDose]: ChainedDose[Key] };
const NEVER = () => false;

/** Carries out steps until there is none, as the server does; ids follow from the dose before. */
function settled(doses: readonly Dose[], by: ChainPlan, isOver: (due: Date) => boolean = NEVER): Dose[] {
  let all = doses.map((dose) => ({ ...dose }));
  for (let count = 0; count < 10; count += 1) {
    all = all.toSorted((a, b) => b.dueDate.getTime() - a.dueDate.getTime());
    const step = chainStep(all, by, isOver);
    if (step.kind === 'none') return all;
    if (step.kind === 'remove') all = all.filter(({ id }) => id !== step.dose.id);
    else if (step.kind === 'move') step.dose.dueDate = step.due.dueDate;
    else {
      const chain = { after: step.after, everyHours: by.everyHours };
      const id = `after ${step.after ?? 'none'}`;
      all = [...all, { id, status: 'pending', dueDate: step.due.dueDate, takenAt: null, chain }];
    }
  }
  throw new Error('It never comes to rest');
}

const pendingOf = (doses: readonly Dose[]) => doses.filter(({ status }) => status === 'pending');
const take = (doses: readonly Dose[], id: string, at: number): Dose[] =>
  doses.map((dose) =>
    dose.id === id ? { ...dose, status: 'taken', takenAt: new Date(at), before: {} } : dose,
  );
const pass = (doses: readonly Dose[], id: string, at: number): Dose[] =>
  doses.map((dose) =>
    dose.id === id ? { ...dose, status: 'skipped', actedAt: new Date(at), before: {} } : dose,
  );
const undo = (doses: readonly Dose[], id: string): Dose[] =>
  doses.map((dose) => (dose.id === id ? { ...dose, status: 'pending', takenAt: null, before: null } : dose));

const anyAct = fc.record({
  kind: fc.constantFrom('take' as const, 'pass' as const),
  /** Hours after (or before) it is due. */
  off: fc.integer({ min: -40, max: 100 }),
});
const everyHours = fc.integer({ min: 1, max: 400 });

function lived(by: ChainPlan, acts: readonly { kind: 'take' | 'pass'; off: number }[]): Dose[] {
  let doses = settled([], by);
  let now = FIRST - 200 * HOUR;
  for (const { kind, off } of acts) {
    const [next] = pendingOf(doses);
    if (next === undefined) throw new Error('There is no next dose');
    now = Math.max(now + 60_000, next.dueDate.getTime() + off * HOUR);
    doses = settled((kind === 'take' ? take : pass)(doses, next.id, now), by);
  }
  return doses;
}

describe('doses of a schedule that counts from the last dose', () => {
  it('start at the first due time, then follow one interval after each is taken', () => {
    const first = settled([], plan());
    expect(first).toMatchObject([{ id: 'after none', dueDate: new Date(FIRST), status: 'pending' }]);
    const second = settled(take(first, 'after none', FIRST + HOUR), plan());
    expect(pendingOf(second)).toMatchObject([
      { dueDate: new Date(FIRST + 9 * HOUR), chain: { after: 'after none' } },
    ]);
  });

  it('law: always include exactly one next dose, one interval after the last one taken', () => {
    fc.assert(
      fc.property(everyHours, fc.array(anyAct, { maxLength: 12 }), (every, acts) => {
        const doses = lived(plan(every), acts);
        const [next, ...more] = pendingOf(doses);
        expect(more).toEqual([]);
        expect(new Set(doses.map(({ id }) => id)).size).toBe(acts.length + 1);
        if (acts.at(-1)?.kind !== 'take') return;
        const last = Math.max(...doses.map(({ takenAt }) => takenAt?.getTime() ?? 0));
        expect(next?.dueDate.getTime()).toBe(last + every * HOUR);
      }),
    );
  });

  it('law: are unchanged after taking or skipping one and undoing it', () => {
    fc.assert(
      fc.property(everyHours, fc.array(anyAct, { maxLength: 8 }), anyAct, (every, acts, { kind, off }) => {
        const before = lived(plan(every), acts);
        const [next] = pendingOf(before);
        const at = (next?.dueDate.getTime() ?? 0) + off * HOUR;
        const after = settled((kind === 'take' ? take : pass)(before, next?.id ?? '', at), plan(every));
        const names = (doses: readonly Dose[]) =>
          doses.map(({ id, status, dueDate }) => `${id} ${status} ${dueDate.toISOString()}`).sort();
        expect(names(settled(undo(after, next?.id ?? ''), plan(every)))).toEqual(names(before));
      }),
    );
  });

  it('law: don’t pile up when left out: the next is not due before they were', () => {
    fc.assert(
      fc.property(everyHours, fc.integer({ min: 0, max: 5000 }), (every, late) => {
        const first = settled([], plan(every));
        const [next] = pendingOf(settled(pass(first, 'after none', FIRST + late * HOUR), plan(every)));
        const due = next?.dueDate.getTime() ?? 0;
        expect(due).toBeGreaterThanOrEqual(FIRST + late * HOUR);
        expect(due - FIRST).toBeGreaterThanOrEqual(every * HOUR);
        expect((due - FIRST) % (every * HOUR)).toBe(0);
        expect(due).toBeLessThan(FIRST + (late + 2 * every) * HOUR);
      }),
    );
  });

  it('move when an earlier one is logged late', () => {
    const missed = settled(pass(settled([], plan()), 'after none', FIRST + 24 * HOUR), plan());
    const late = settled(take(missed, 'after none', FIRST + 30 * HOUR), plan());
    expect(pendingOf(late)).toMatchObject([{ dueDate: new Date(FIRST + 38 * HOUR) }]);
    expect(late).toHaveLength(2);
  });

  it('continue after doses of another frequency or an import, and not before the schedule is resumed', () => {
    const daily: Dose = { id: 'daily', status: 'taken', dueDate: new Date(FIRST), takenAt: new Date(FIRST) };
    expect(pendingOf(settled([daily], plan()))).toMatchObject([
      { dueDate: new Date(FIRST + 8 * HOUR), chain: { after: 'daily' } },
    ]);
    const lastTakenBefore = new Date(FIRST + HOUR);
    expect(pendingOf(settled([], plan(8, { lastTakenBefore })))[0]?.dueDate).toEqual(
      new Date(FIRST + 9 * HOUR),
    );
    const resumedAt = new Date(FIRST + 500 * HOUR);
    expect(pendingOf(settled([], plan(8, { resumedAt })))[0]?.dueDate).toEqual(resumedAt);
  });

  it('end with the last day', () => {
    const isOver = (due: Date) => due.getTime() > FIRST + HOUR;
    const first = settled([], plan(), isOver);
    expect(pendingOf(first)).toHaveLength(1);
    expect(pendingOf(settled(take(first, 'after none', FIRST), plan(), isOver))).toEqual([]);
    expect(pendingOf(settled(first, plan(), () => true))).toEqual([]);
  });

  it('count as on time within a quarter of the interval', () => {
    const at = (hours: number) => isOffTime(new Date(FIRST), new Date(FIRST + hours * HOUR), 8);
    expect([-2.01, -2, 0, 2, 2.01].map(at)).toEqual([true, false, false, false, true]);
  });
});

describe('the preview of a schedule that counts from the last dose', () => {
  const chosen = sized(ODD_ZONES, ZONES);

  it('matches the doses created when each is taken on time, evenly spaced for ten years in every zone', () => {
    for (const timeZone of chosen) {
      const firstDueAt = new Date('2016-01-01T06:30:00Z');
      const chained = rule({
        frequency: { kind: 'after-last', everyHours: 47 },
        times: [],
        firstDueAt,
        timeZone,
      });
      const long = rule({ ...chained, startDate: '2016-01-01' });
      const found = occurrences(long, { from: new Date('2015-12-30'), to: new Date('2026-01-01') });
      expect(found.length).toBe(Math.ceil((Date.parse('2026-01-01') - firstDueAt.getTime()) / (47 * HOUR)));
      expect(
        found.every(({ dueDate }, index) => dueDate.getTime() === firstDueAt.getTime() + index * 47 * HOUR),
      ).toBe(true);
      expect(new Set(found.map(({ localDay, wallTime }) => localDay + wallTime)).size).toBe(found.length);
      const preview = previewDoses(long);
      expect(preview).toEqual(found.slice(0, 14));
    }
    const by = plan(47);
    const made = lived(
      by,
      Array.from({ length: 13 }, () => ({ kind: 'take' as const, off: 0 })),
    );
    const shown = previewDoses(
      rule({
        frequency: { kind: 'after-last', everyHours: 47 },
        times: [],
        firstDueAt: by.firstDueAt,
        startDate: '2026-03-01',
      }),
    );
    expect(made.map(({ dueDate }) => dueDate).toReversed()).toEqual(shown.map(({ dueDate }) => dueDate));
  });
});
