import type { DoseStatus } from './dose-status.ts';

/** The changes a person can make to a dose. */
export const DOSE_CHANGES = ['taken', 'skipped', 'missed'] as const;

export type DoseChange = (typeof DOSE_CHANGES)[number];

/** The state of a dose before a person changed it, which undo restores. */
export interface DoseBefore {
  status: DoseStatus;
  notes: string | null;
}

/** The part of a dose that its transitions depend on. */
export interface ChangingDose {
  status: DoseStatus;
  notes: string | null;
  /** null until a person changes it, and for a dose the worker marked as missed */
  before: DoseBefore | null;
}

/** `ok`, or why not. */
export type Verdict = 'ok' | 'already-taken' | 'nothing-to-undo';

/**
 * Whether a dose may become taken, skipped or missed. Any dose may that is not taken: a missed or skipped one can be
 * logged late, and a skip can become a miss. A taken dose has drawn from a vial, so it has to be undone first.
 */
export function mayBecome(dose: Pick<ChangingDose, 'status'>): Verdict {
  return dose.status === 'taken' ? 'already-taken' : 'ok';
}

/**
 * The state that undo restores after a change. Repeating the same change keeps the earlier state, so that one undo is
 * enough.
 */
export function beforeChange(dose: ChangingDose, change: DoseChange): DoseBefore {
  if (dose.status === change && dose.before !== null) return dose.before;
  return { status: dose.status, notes: dose.notes };
}

/** Whether a person changed the dose, so that undo has something to restore. */
export function mayUndo(dose: Pick<ChangingDose, 'before'>): Verdict {
  return dose.before === null ? 'nothing-to-undo' : 'ok';
}
