import { Link, useFetcher } from '@remix-run/react';
import type { DrawLine } from '#app/domain/doses/draw-line.ts';
import { shownAhead } from '#app/ui/connection/optimistic.ts';
import { Button } from '#app/ui/button.tsx';
import { DoseFacts, doseHref, DoseNotes, doseWords } from './dose-facts.tsx';
import { StatusMark } from './status-mark.tsx';

const WORDS: Readonly<Record<string, string>> = { taken: 'Taken', skipped: 'Skipped', missed: 'Missed' };

/** What is said about a dose before the server has answered; it is told again if that fails. */
function saidOf(form: FormData | undefined): string | null {
  return form === undefined ? null : (WORDS[String(form.get('intent'))] ?? null);
}

function RestOfDose({ line, isBusy }: { line: DrawLine; isBusy: boolean }) {
  return (
    <>
      <Button
        name="intent"
        value="skipped"
        variant="plain"
        disabled={isBusy}
        aria-label={`Skip ${doseWords(line)}`}
      >
        Skip
      </Button>
      <Button
        name="intent"
        value="missed"
        variant="plain"
        disabled={isBusy}
        aria-label={`Missed ${doseWords(line)}`}
      >
        Missed
      </Button>
      <Link to={doseHref(line.id)} className="btn btn-plain" aria-label={`Details of ${doseWords(line)}`}>
        Details
      </Link>
    </>
  );
}

/**
 * One dose to take: a form that is posted straight away. With scripts the line says "Taken" at once, and goes when the
 * server has written it.
 */
export function OpenDose({ line, isDue }: { line: DrawLine; isDue: boolean }) {
  const fetcher = useFetcher({ key: line.id });
  const said = saidOf(shownAhead(fetcher));
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
          aria-label={`Taken: ${doseWords(line)}`}
        >
          Taken
        </Button>
      </fetcher.Form>
      <details className="dose-rest">
        <summary aria-label={`More for ${doseWords(line)}`}>More</summary>
        <fetcher.Form method="post" action={action} className="flex flex-wrap">
          <input type="hidden" name="from" value="today" />
          <RestOfDose line={line} isBusy={said !== null} />
        </fetcher.Form>
      </details>
    </li>
  );
}
