import { Form, useNavigation } from '@remix-run/react';
import { useState, type ReactNode } from 'react';
import type { ShownQuestion } from '#app/domain/doses/dose-question.ts';
import type { DrawLine } from '#app/domain/doses/draw-line.ts';
import { dayLabel } from '#app/domain/time/calendar.ts';
import { Button } from '#app/ui/button.tsx';
import { Checkbox, Field } from '#app/ui/fields.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { Notice } from '#app/ui/notice.tsx';

export const TAKE_TOGETHER = '/dashboard/schedule/take';

/** The page of a time slot, which also takes its doses. */
export const slotHref = (start: Date): string => `${TAKE_TOGETHER}?slot=${start.toISOString()}`;

interface TakeTogetherProps {
  rows: readonly DrawLine[];
  action: string;
  /** One of them is due. */
  isDue: boolean;
  /** Ids of the ticked doses; all of them unless given. */
  ticked?: readonly string[];
  takenAt?: string;
  questions?: readonly ShownQuestion[];
  /** Further fields of the form. */
  children?: ReactNode;
}

/** Takes the ticked doses of a time slot with one button. Doses that need an answer have their question below them. */
export function TakeTogether({
  rows,
  action,
  isDue,
  ticked = rows.map(({ id }) => id),
  takenAt = '',
  questions = [],
  children,
}: TakeTogetherProps) {
  const [first] = rows;
  const { state, formAction } = useNavigation();
  const [chosen, setChosen] = useState<readonly string[]>(ticked);
  const isBusy = state !== 'idle' && formAction === action;
  const count = rows.filter(({ id }) => chosen.includes(id)).length;
  const tick = (id: string, isOn: boolean) =>
    setChosen((before) => (isOn ? [...before, id] : before.filter((one) => one !== id)));
  return (
    <Form
      method="post"
      action={action}
      className="take-together"
      aria-label={first && `${rows.length} doses, ${dayLabel(first.day)}, ${first.time}`}
    >
      {children}
      <div className="take-rows">
        {rows.map(({ id, name, amountText, drawUnits, drawText }) => (
          <div key={id}>
            <Checkbox
              name="ids"
              id={`take-${id}`}
              value={id}
              defaultChecked={ticked.includes(id)}
              onChange={({ currentTarget }) => tick(id, currentTarget.checked)}
              label={
                <>
                  <span className="font-semibold">{name}</span>{' '}
                  <span className="figure whitespace-normal">
                    <Measured text={drawUnits ?? drawText ?? amountText} />
                  </span>
                </>
              }
            />
            {questions
              .filter((question) => question.id === id)
              .map(({ key, messages }) => (
                <Notice key={key} tone="warning" role="alert">
                  {messages.map((message) => (
                    <p key={message}>
                      <Measured text={message} />
                    </p>
                  ))}
                  <Checkbox
                    name="answers"
                    id={`answer-${id}`}
                    value={key}
                    label={`Yes, log ${name} anyway`}
                  />
                </Notice>
              ))}
          </div>
        ))}
      </div>
      <details className="take-time" open={takenAt !== ''}>
        <summary>Taken earlier?</summary>
        <Field
          name="takenAt"
          id={`taken-at-${first?.id}`}
          type="datetime-local"
          label="Taken at"
          hint="Leave empty for the current time."
          defaultValue={takenAt}
        />
      </details>
      <Button name="intent" value="taken" variant={isDue ? 'primary' : 'quiet'} disabled={isBusy}>
        {isBusy
          ? 'Saving...'
          : count === rows.length
            ? `Take all ${count}`
            : `Take ${count} of ${rows.length}`}
      </Button>
    </Form>
  );
}
