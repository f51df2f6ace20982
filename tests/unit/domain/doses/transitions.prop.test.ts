import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beforeChange,
  DOSE_CHANGES,
  mayBecome,
  mayUndo,
  type ChangingDose,
  DOSE_STATUSES,
  STATUS_LABELS,
} from '#app/domain/doses/dose.ts';

const notes = fc.option(fc.string({ maxLength: 20 }), { nil: null });
const status = fc.constantFrom(...DOSE_STATUSES);
const untouched: fc.Arbitrary<ChangingDose> = fc.record({
  status: fc.constantFrom('pending' as const, 'missed' as const),
  notes,
  before: fc.constant(null),
});
const step = fc.oneof(
  fc.record({ kind: fc.constant('change' as const), to: fc.constantFrom(...DOSE_CHANGES), notes }),
  fc.constant({ kind: 'undo' as const }),
);

/** Applies one step as the services do; a step that is not allowed changes nothing. */
function apply(
  dose: ChangingDose,
  next: { kind: 'undo' } | { kind: 'change'; to: (typeof DOSE_CHANGES)[number]; notes: string | null },
): ChangingDose {
  if (next.kind === 'undo') {
    return mayUndo(dose) === 'ok' && dose.before !== null ? { ...dose.before, before: null } : dose;
  }
  if (mayBecome(dose) !== 'ok') return dose;
  return { status: next.to, notes: next.notes, before: beforeChange(dose, next.to) };
}

describe('status changes of a dose', () => {
  it('lead from every status except taken to taken, skipped or missed', () => {
    expect(DOSE_STATUSES.map((from) => [from, mayBecome({ status: from })])).toEqual([
      ['pending', 'ok'],
      ['taken', 'already-taken'],
      ['missed', 'ok'],
      ['skipped', 'ok'],
    ]);
  });

  it('law: are reversed by undo, including the notes', () => {
    fc.assert(
      fc.property(status, notes, fc.constantFrom(...DOSE_CHANGES), (from, text, to) => {
        fc.pre(from !== 'taken');
        const dose: ChangingDose = { status: from, notes: text, before: null };
        const changed = apply(dose, { kind: 'change', to, notes: 'new' });
        expect(changed.status).toBe(to);
        expect(apply(changed, { kind: 'undo' })).toEqual(dose);
      }),
    );
  });

  it('law: can be undone only if a person made them, and undo then changes the state', () => {
    fc.assert(
      fc.property(untouched, fc.array(step, { maxLength: 12 }), (first, steps) => {
        let dose = first;
        for (const next of steps) {
          const before = dose;
          dose = apply(dose, next);
          if (before.status === 'taken' && next.kind === 'change') expect(dose).toEqual(before);
        }
        if (mayUndo(dose) === 'nothing-to-undo') expect(dose.before).toBeNull();
        else expect(apply(dose, { kind: 'undo' }).before).toBeNull();
      }),
    );
  });

  it('keep the earlier state for undo when repeated', () => {
    const pending: ChangingDose = { status: 'pending', notes: null, before: null };
    const once = apply(pending, { kind: 'change', to: 'skipped', notes: 'travel' });
    const twice = apply(once, { kind: 'change', to: 'skipped', notes: 'travel, and ill' });
    expect(twice).toMatchObject({ status: 'skipped', notes: 'travel, and ill' });
    expect(apply(twice, { kind: 'undo' })).toEqual(pending);
  });

  it('can’t be undone if the worker marked the dose as missed', () => {
    expect(mayUndo({ before: null })).toBe('nothing-to-undo');
  });

  it('have a different label for each status', () => {
    expect(new Set(DOSE_STATUSES.map((one) => STATUS_LABELS[one])).size).toBe(DOSE_STATUSES.length);
  });
});
