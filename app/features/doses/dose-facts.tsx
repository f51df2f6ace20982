import { Link } from '@remix-run/react';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';
import type { DrawLine } from '#app/domain/doses/draw-line.ts';
import { Figure } from '#app/ui/statistic.tsx';
import { Measured } from '#app/ui/measurement.tsx';

export const doseHref = (id: string): string => `/dashboard/schedule/doses/${id}`;

/** A dose in words, for names of buttons: "BPC-157 250 mcg, 08:00". */
export const doseLabel = ({ name, amountText, time }: DoseLine): string => `${name} ${amountText}, ${time}`;

/** What, how much and what to draw. The name leads to the page of the dose. */
export function DoseFacts({ line }: { line: DoseLine | DrawLine }) {
  const draw = 'drawText' in line ? line.drawText : null;
  return (
    <p className="dose-facts">
      <Link to={doseHref(line.id)} className="font-semibold">
        {line.name}
      </Link>{' '}
      <Figure value={line.amountText} />
      {draw ? (
        <>
          {' · '}
          <span className="figure dose-draw">
            <Measured text={draw} />
          </span>
        </>
      ) : null}
    </p>
  );
}

/** What else there is to know about a dose, in small. */
export function DoseNotes({ line }: { line: DoseLine | DrawLine }) {
  const vialNote = 'vialNote' in line ? line.vialNote : null;
  const notes = [line.takenText, line.plannedText, line.ownTimeText, vialNote].filter(
    (text) => text !== null,
  );
  if (notes.length === 0) return null;
  return (
    <p className="text-sm text-soft">
      <Measured text={notes.join(' · ')} />
    </p>
  );
}
