import { STATUS_WORDS, type DoseStatus } from '#app/domain/doses/dose-status.ts';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';

/** A shape of its own for each state, so that colour is never needed to tell them apart. */
const SHAPES: Record<DoseStatus | 'overdue', string> = {
  pending: 'M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z',
  overdue: 'M10 2.5 18.5 17.5h-17zM10 8v4M10 14.6h.01',
  taken: 'M3.5 10.5 8 15 16.5 5.5',
  missed: 'M5 5l10 10M15 5 5 15',
  skipped: 'M4 10h12M12 5.5 16.5 10 12 14.5',
};

const TONES: Record<DoseStatus | 'overdue', string> = {
  pending: 'text-soft',
  overdue: 'text-warn',
  taken: 'text-good',
  missed: 'text-danger',
  skipped: 'text-soft',
};

/** The shape alone, beside words. */
export function StatusShape({ state }: { state: DoseStatus | 'overdue' }) {
  return (
    <svg
      aria-hidden="true"
      className={`shrink-0 ${TONES[state]}`}
      width="16"
      height="16"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={SHAPES[state]} />
    </svg>
  );
}

/** The state of a dose in words. */
export function statusText({ status, urgency, lateText }: DoseLine): string {
  if (status !== 'pending') return STATUS_WORDS[status];
  if (lateText !== null) return lateText;
  return urgency === 'due' ? 'Due now' : 'To come';
}

/** The state of a dose: shape and words. */
export function StatusMark({ line }: { line: DoseLine }) {
  const state = line.lateText !== null ? 'overdue' : line.status;
  return (
    <span className={`dose-state ${TONES[state]}`}>
      <StatusShape state={state} />
      {statusText(line)}
    </span>
  );
}
