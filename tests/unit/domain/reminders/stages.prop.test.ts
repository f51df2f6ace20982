import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  planReminder,
  snoozedStep,
  stageAt,
  stepAfter,
  type ReminderStep,
  REPEAT_FOR_HOURS,
  STALE_AFTER_MINUTES,
} from '#app/domain/reminders/reminder-stages.ts';

const MINUTE = 60_000;
const DUE = new Date('2026-03-10T08:00:00Z');
const at = (minutes: number) => new Date(DUE.getTime() + minutes * MINUTE);

const lead = fc.integer({ min: 0, max: 120 });
/** Minutes from the dose's time. */
const moment = fc.integer({ min: -120, max: 4 * 24 * 60 });
const first = (minutes: number): ReminderStep => ({
  at: at(-minutes),
  stage: minutes === 0 ? 'due' : 'upcoming',
});

/** All reminders of a dose that is never logged, each sent on time. */
function wholeRow(start: ReminderStep, repeats: boolean): ReminderStep[] {
  const row: ReminderStep[] = [];
  for (let step: ReminderStep | null = start; step !== null; step = stepAfter(DUE, step, repeats))
    row.push(step);
  return row;
}

describe('the sequence of reminders', () => {
  it('moves forward in time and ends', () => {
    fc.assert(
      fc.property(lead, fc.boolean(), (minutes, repeats) => {
        const row = wholeRow(first(minutes), repeats);
        for (const [index, step] of row.entries()) {
          const before = row[index - 1];
          if (before) expect(step.at.getTime()).toBeGreaterThan(before.at.getTime());
          expect(step.stage).toBe(stageAt(DUE, step.at));
        }
        expect(row.at(-1)?.at.getTime()).toBeLessThanOrEqual(at(REPEAT_FOR_HOURS * 60).getTime());
        expect(row.filter(({ stage }) => stage === 'due')).toHaveLength(1);
        expect(row.filter(({ stage }) => stage === 'overdue')).toHaveLength(repeats ? 12 : 1);
      }),
    );
  });

  it('sends one at a time and never repeats one, whenever a worker runs', () => {
    fc.assert(
      fc.property(lead, fc.boolean(), fc.array(moment, { maxLength: 30 }), (minutes, repeats, visits) => {
        const row = wholeRow(first(minutes), repeats);
        let step: ReminderStep | null = first(minutes);
        const sent: number[] = [];
        for (const now of [...visits].sort((a, b) => a - b).map(at)) {
          if (step === null || step.at > now) continue;
          const planned = planReminder(DUE, step, repeats, now);
          // The latest due one: a dose gets one reminder, no matter how many were missed.
          const due = row.filter((candidate) => candidate.at <= now).at(-1);
          expect(planned.step).toEqual(due);
          expect(planned.next === null || planned.next.at > now).toBe(true);
          expect(planned.isQuiet).toBe(
            now.getTime() - planned.step.at.getTime() > STALE_AFTER_MINUTES * MINUTE,
          );
          sent.push(planned.step.at.getTime());
          step = planned.next;
        }
        expect([...new Set(sent)]).toEqual(sent);
      }),
    );
  });

  it('continues after a snooze at the dose’s current stage, and still ends', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(5, 10, 15, 30, 60), fc.boolean(), (now, minutes, repeats) => {
        const step = snoozedStep(DUE, at(now), minutes);
        expect(step.at).toEqual(at(now + minutes));
        expect(step.stage).toBe(stageAt(DUE, step.at));
        expect(wholeRow(step, repeats).length).toBeLessThanOrEqual(15);
      }),
    );
  });
});

describe('the boundaries of the stages', () => {
  it.each([
    [-1, 'upcoming'],
    [0, 'due'],
    [29, 'due'],
    [30, 'overdue'],
  ])('%i minutes after its time a dose is %s', (minutes, stage) => {
    expect(stageAt(DUE, at(minutes))).toBe(stage);
  });

  it('a reminder exactly two hours late still goes out, one a minute later is quiet', () => {
    const step: ReminderStep = { at: at(30), stage: 'overdue' };
    expect(planReminder(DUE, step, false, at(150)).isQuiet).toBe(false);
    expect(planReminder(DUE, step, false, at(151)).isQuiet).toBe(true);
  });

  it('a reminder snoozed past the half hour is not followed by an earlier one', () => {
    expect(stepAfter(DUE, { at: at(60), stage: 'overdue' }, false)).toBeNull();
    expect(stepAfter(DUE, { at: at(10), stage: 'due' }, false)).toEqual({ at: at(30), stage: 'overdue' });
    expect(stepAfter(DUE, { at: at(-5), stage: 'upcoming' }, false)).toEqual({ at: DUE, stage: 'due' });
  });
});
