import { Link } from '@remix-run/react';
import { STATUS_LABELS, type DoseStatus } from '#app/domain/doses/dose.ts';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';
import type { DrawLine } from '#app/domain/doses/draw-line.ts';
import { Measured } from '#app/ui/figure.tsx';

export const doseHref = (id: string): string => `/dashboard/schedule/doses/${id}`;

/** Identifies a dose in the names of buttons: "BPC-157 250 mcg, 08:00". */
export const doseLabel = ({ name, amountText, time }: DoseLine): string => `${name} ${amountText}, ${time}`;

/** The amount of a dose. For a blend it may wrap between components, never between a number and its unit. */
export function DoseAmount({ text }: { text: string }) {
  return (
    <span className="figure whitespace-normal">
      <Measured text={text} />
    </span>
  );
}

/** Name and amount. The name links to the dose's page. */
export function DoseFacts({ line }: { line: DoseLine }) {
  return (
    <p className="dose-facts">
      <Link to={doseHref(line.id)} className="font-semibold">
        {line.name}
      </Link>{' '}
      <DoseAmount text={line.amountText} />
    </p>
  );
}

/** A dose to take: its name, what to draw as the largest, and in small print the dose and the exact draw. */
export function DoseToDraw({ line, to }: { line: DrawLine; to: string }) {
  const { name, amountText, drawUnits, drawDetail } = line;
  return (
    <>
      <p>
        <Link to={to} className="dose-name">
          {name}
        </Link>
      </p>
      {drawUnits === null ? (
        <p className="dose-draw">
          <DoseAmount text={amountText} />
        </p>
      ) : (
        <>
          <p className="dose-draw figure">
            <Measured text={drawUnits} />
          </p>
          <p className="dose-small">
            <DoseAmount text={amountText} />
            {' · '}
            <Measured text={drawDetail ?? ''} />
          </p>
        </>
      )}
    </>
  );
}

/** Further details of a dose, in small print. */
export function DoseNotes({ line }: { line: DoseLine | DrawLine }) {
  const vialNote = 'vialNote' in line ? line.vialNote : null;
  const notes = [line.plannedText, line.movedText, line.ownTimeText, vialNote].filter(
    (text) => text !== null,
  );
  if (notes.length === 0) return null;
  return (
    <p className="text-sm text-soft">
      <Measured text={notes.join(' · ')} />
    </p>
  );
}

/** The state of a dose: its shape and its text. */
export function StatusMark({ line }: { line: DoseLine }) {
  const state = line.lateText !== null ? 'overdue' : line.status;
  return (
    <span className={`dose-state ${TONES[state]}`}>
      <StatusShape state={state} />
      {statusText(line)}
    </span>
  );
}

function statusText({ status, urgency, lateText, takenText }: DoseLine): string {
  if (status === 'taken' && takenText !== null) return takenText;
  if (status !== 'pending') return STATUS_LABELS[status];
  if (lateText !== null) return lateText;
  return urgency === 'due' ? 'Due now' : 'Upcoming';
}

/** Only the shape, for use next to text. */
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

/** Each state has its own shape, so that states differ by more than colour. */
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
