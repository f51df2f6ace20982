import { Link, useFetcher } from '@remix-run/react';
import type { AsNeededLine } from '#app/domain/doses/draw-line.ts';
import { shownAhead } from '#app/ui/connection/client-action.ts';
import { Button } from '#app/ui/button.tsx';
import { DoseToDraw } from './dose-line.tsx';
import { Measured } from '#app/ui/figure.tsx';

/** The page for logging an as-needed dose. @param id of the schedule */
export const takeHref = (id: string): string => `/dashboard/schedule/${id}/take`;

const labelOf = ({ name, amountText }: AsNeededLine): string => `${name} ${amountText}, as needed`;

interface AsNeededProps {
  lines: readonly AsNeededLine[];
  /** Idempotency key of the buttons: pressing one twice logs one dose. */
  idempotencyKey: string;
}

/** As-needed schedules, below the day's doses. */
export function AsNeededDoses({ lines, idempotencyKey }: AsNeededProps) {
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="as-needed" className="dose-group">
      <h2 id="as-needed">As needed</h2>
      <ul className="sheet">
        {lines.map((line) => (
          <AsNeededDose key={line.id} line={line} idempotencyKey={idempotencyKey} />
        ))}
      </ul>
    </section>
  );
}

/** One schedule with a button that logs a dose now. If something has to be confirmed first, a separate page asks. */
function AsNeededDose({ line, idempotencyKey }: { line: AsNeededLine; idempotencyKey: string }) {
  const fetcher = useFetcher({ key: `take-${line.id}` });
  const isBusy = shownAhead(fetcher) !== undefined;
  return (
    <li className="dose-line as-needed">
      <div className="min-w-0">
        <DoseToDraw line={line} to={`/dashboard/schedule/${line.id}`} />
        {line.readBack === null ? null : (
          <p className="text-sm font-semibold">
            <Measured text={line.readBack} />
          </p>
        )}
        <p className="text-sm">{isBusy ? 'Taken...' : line.paceText}</p>
        {line.vialNote === null ? null : <p className="text-sm text-soft">{line.vialNote}</p>}
      </div>
      <fetcher.Form method="post" action={takeHref(line.id)} className="dose-take">
        <input type="hidden" name="from" value="today" />
        <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
        <Button
          variant={line.isEarly ? 'quiet' : 'primary'}
          disabled={isBusy}
          aria-label={`Taken: ${labelOf(line)}`}
        >
          Taken
        </Button>
      </fetcher.Form>
      <div className="dose-rest">
        <Link
          to={takeHref(line.id)}
          className="btn btn-plain"
          aria-label={`Different amount or time: ${labelOf(line)}`}
        >
          Different amount or time
        </Link>
      </div>
    </li>
  );
}
