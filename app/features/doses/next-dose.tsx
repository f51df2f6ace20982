import { Form, Link } from '@remix-run/react';
import type { DrawLine } from '#app/domain/doses/draw-line.ts';
import { dayLabel } from '#app/domain/time/calendar.ts';
import { Button } from '#app/ui/button.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { DoseAmount, doseHref, doseLabel } from './dose-line.tsx';

/** The next dose in one line above the calculator, with the button that logs it. @param today YYYY-MM-DD */
export function NextDose({ line, today }: { line: DrawLine; today: string }) {
  const { id, name, amountText, drawUnits, day, time, dueDate, urgency, lateText } = line;
  return (
    <section className="next-dose no-print" aria-label="Next dose">
      <p>
        <Link to={doseHref(id)} className="font-semibold">
          {name}
        </Link>{' '}
        <DoseAmount text={amountText} />
        {drawUnits === null ? null : (
          <>
            {' · '}
            <span className="figure dose-draw">
              <Measured text={drawUnits} />
            </span>
          </>
        )}
        {' · '}
        <time dateTime={dueDate} className="figure">
          {day === today ? time : `${dayLabel(day)}, ${time}`}
        </time>
        {lateText === null ? null : <span className="sr-only">{` ${lateText}`}</span>}
      </p>
      <Form method="post" action={doseHref(id)}>
        <input type="hidden" name="from" value="calculator" />
        <Button
          name="intent"
          value="taken"
          variant={urgency === 'later' ? 'quiet' : 'primary'}
          aria-label={`Taken: ${doseLabel(line)}`}
        >
          Taken
        </Button>
      </Form>
    </section>
  );
}
