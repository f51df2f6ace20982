import type { DoseStatus } from './dose-status.ts';

/** What a person can say about a dose. */
export const DOSE_CHANGES = ['taken', 'skipped', 'missed'] as const;

export type DoseChange = (typeof DOSE_CHANGES)[number];

/** What a dose was before somebody changed it: the place that undo goes back to. */
export interface DoseBefore {
  status: DoseStatus;
  notes: string | null;
}

/** As much of a dose as its transitions read. */
export interface ChangingDose {
  status: DoseStatus;
  notes: string | null;
  /** null while nobody has changed it, and for one that became missed by itself */
  before: DoseBefore | null;
}

/** `ok`, or why not: it is taken and has to be undone first, or there is nothing that could be undone. */
export type Verdict = 'ok' | 'already-taken' | 'nothing-to-undo';

/**
 * Whether a dose may become taken, skipped or missed (decisions, section 9). Anything but a taken dose may: what was
 * missed or skipped can be logged late, and a skip can be called a miss. A taken one has drawn from a vial, so it is
 * undone first.
 */
export function mayBecome(dose: Pick<ChangingDose, 'status'>): Verdict {
  return dose.status === 'taken' ? 'already-taken' : 'ok';
}

/**
 * What undo goes back to once a dose is changed. Saying the same again keeps the older place, so that one undo is
 * enough.
 */
export function beforeChange(dose: ChangingDose, change: DoseChange): DoseBefore {
  if (dose.status === change && dose.before !== null) return dose.before;
  return { status: dose.status, notes: dose.notes };
}

/** Whether there is something of a person's to take back. What became missed by itself has nothing. */
export function mayUndo(dose: Pick<ChangingDose, 'before'>): Verdict {
  return dose.before === null ? 'nothing-to-undo' : 'ok';
}
