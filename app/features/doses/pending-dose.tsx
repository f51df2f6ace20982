import { Link, useFetcher } from '@remix-run/react';
import type { DrawLine } from '#app/domain/doses/draw-line.ts';
import { shownAhead } from '#app/ui/connection/optimistic.ts';
import { Button } from '#app/ui/button.tsx';
import { DoseFacts, doseHref, DoseNotes, doseLabel } from './dose-facts.tsx';
import { StatusMark } from './status-mark.tsx';

const WORDS: Readonly<Record<string, string>> = { taken: 'Taken', skipped: 'Skipped', missed: 'Missed' };

/** What is said about a dose before the server has answered; it is told again if that fails. */
function optimisticText(form: FormData | undefined): string | null {
  return form === undefined ? null : (WORDS[String(form.get('intent'))] ?? null);
}

function OtherActions({ line, isBusy }: { line: DrawLine; isBusy: boolean }) {
  return (
    <>
      <Button
        name="intent"
        value="skipped"
        variant="plain"
        disabled={isBusy}
        aria-label={`Skip ${doseLabel(line)}`}
      >
        Skip
      </Button>
      <Button
        name="intent"
        value="missed"
        variant="plain"
        disabled={isBusy}
        aria-label={`Missed ${doseLabel(line)}`}
      >
        Missed
      </Button>
      <Link to={doseHref(line.id)} className="btn btn-plain" aria-label={`Details of ${doseLabel(line)}`}>
        Details
      </Link>
    </>
  );
}

/**
 * One dose to take: a form that is posted straight away. With scripts the line says "Taken" at once, and goes when the
 * server has written it.
 */
export function PendingDose({ line, isDue }: { line: DrawLine; isDue: boolean }) {
  const fetcher = useFetcher({ key: line.id });
  const said = optimisticText(shownAhead(fetcher));
  const action = doseHref(line.id);
  return (
    <li className="dose-line" data-said={said ?? undefined}>
      <time dateTime={line.dueDate} className="dose-time figure">
        {line.time}
      </time>
      <div className="min-w-0">
        <DoseFacts line={line} />
        <DoseNotes line={line} />
        {said === null ? <StatusMark line={line} /> : <span className="dose-state">{`${said}...`}</span>}
      </div>
      <fetcher.Form method="post" action={action} className="dose-take">
        <input type="hidden" name="from" value="today" />
        <Button
          name="intent"
          value="taken"
          variant={isDue ? 'primary' : 'quiet'}
          disabled={said !== null}
          aria-label={`Taken: ${doseLabel(line)}`}
        >
          Taken
        </Button>
      </fetcher.Form>
      <details className="dose-rest">
        <summary aria-label={`More for ${doseLabel(line)}`}>More</summary>
        <fetcher.Form method="post" action={action} className="flex flex-wrap">
          <input type="hidden" name="from" value="today" />
          <OtherActions line={line} isBusy={said !== null} />
        </fetcher.Form>
      </details>
    </li>
  );
}
