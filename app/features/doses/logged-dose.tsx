import { Form, useNavigation } from '@remix-run/react';
import { dayWords } from '#app/domain/doses/calendar-grid.ts';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';
import { Button } from '#app/ui/button.tsx';
import { DoseFacts, doseHref, DoseNotes, doseLabel } from './dose-facts.tsx';
import { StatusMark } from './status-mark.tsx';

/** One dose of which something was said, with the way back. */
export function LoggedDose({ line, today }: { line: DoseLine; today: string }) {
  const { formAction, state } = useNavigation();
  const action = doseHref(line.id);
  return (
    <li className="dose-line">
      <time dateTime={line.dueDate} className="dose-time figure">
        {line.day === today ? null : <span className="block text-sm">{dayWords(line.day)}</span>}
        {line.time}
      </time>
      <div className="min-w-0">
        <DoseFacts line={line} />
        <StatusMark line={line} />
        <DoseNotes line={line} />
      </div>
      {line.canUndo ? (
        <Form method="post" action={action} className="dose-take">
          <Button
            name="intent"
            value="undo"
            variant="plain"
            disabled={state !== 'idle' && formAction === action}
            aria-label={`Undo ${doseLabel(line)}`}
          >
            Undo
          </Button>
        </Form>
      ) : null}
    </li>
  );
}
