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

/** Applies one step as the services do; one that may not be done changes nothing. */
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

describe('transitions of a dose', () => {
  it('every status but taken may become taken, skipped or missed', () => {
    expect(DOSE_STATUSES.map((from) => [from, mayBecome({ status: from })])).toEqual([
      ['pending', 'ok'],
      ['taken', 'already-taken'],
      ['missed', 'ok'],
      ['skipped', 'ok'],
    ]);
  });

  it('law: undo right after a change gives back status and notes', () => {
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

  it('law: after any steps, a dose that can be undone was changed by a person, and undo changes its state', () => {
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

  it('repeating a change keeps the earlier state to restore', () => {
    const pending: ChangingDose = { status: 'pending', notes: null, before: null };
    const once = apply(pending, { kind: 'change', to: 'skipped', notes: 'travel' });
    const twice = apply(once, { kind: 'change', to: 'skipped', notes: 'travel, and ill' });
    expect(twice).toMatchObject({ status: 'skipped', notes: 'travel, and ill' });
    expect(apply(twice, { kind: 'undo' })).toEqual(pending);
  });

  it('a dose the worker marked as missed has nothing to undo', () => {
    expect(mayUndo({ before: null })).toBe('nothing-to-undo');
  });

  it('every status has its own label', () => {
    expect(new Set(DOSE_STATUSES.map((one) => STATUS_LABELS[one])).size).toBe(DOSE_STATUSES.length);
  });
});
