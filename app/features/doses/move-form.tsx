import { Form } from '@remix-run/react';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';
import { dayLabel } from '#app/domain/time/calendar.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { RadioGroup, Field } from '#app/ui/fields.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Notice } from '#app/ui/notice.tsx';

interface ShownMove {
  scope: string;
  dueDate: string;
  rows: readonly { from: string; to: string }[];
  tooCloseTo: string | null;
}

export interface MoveFormProps {
  /** The page of the dose. */
  path: string;
  line: DoseLine;
  /** Only such a dose can be moved. */
  isPending: boolean;
  /** Whether later doses can move with it. */
  hasFollowing: boolean;
  dueDate: string;
  scope: string;
  /** What the move would do; null until a time is chosen. */
  preview: ShownMove | null;
  problem: string | null | undefined;
}

const SCOPES = [
  { value: 'this', label: 'Only this dose' },
  { value: 'following', label: 'This dose and all after it' },
];

function Preview({ path, preview }: { path: string; preview: ShownMove }) {
  const { scope, dueDate, rows, tooCloseTo } = preview;
  return (
    <section aria-labelledby="move-preview" className="sheet grid gap-4 p-5">
      <h2 id="move-preview">What moves</h2>
      <DataTable
        caption={scope === 'following' ? 'The first doses that move' : 'The dose that moves'}
        fixed
        rows={rows}
        rowKey={({ from }) => from}
        columns={[
          { key: 'from', label: 'From', cell: ({ from }) => <span className="font-normal">{from}</span> },
          { key: 'to', label: 'To', cell: ({ to }) => to },
        ]}
      />
      {scope === 'following' ? (
        <p className="text-soft">
          All later doses of this schedule move by the same amount, except those you moved on their own.
        </p>
      ) : null}
      {tooCloseTo === null ? null : (
        <Notice tone="warning">
          <p>{`Another dose of this schedule is due on ${tooCloseTo}: less than half the usual interval away.`}</p>
        </Notice>
      )}
      <Form method="post" action={`${path}/move`} className="flex flex-wrap gap-3">
        <input type="hidden" name="dueDate" value={dueDate} />
        <input type="hidden" name="scope" value={scope} />
        <Button variant="primary">{scope === 'following' ? 'Move all of them' : 'Move this dose'}</Button>
        <LinkButton to={path}>Don’t move</LinkButton>
      </Form>
    </section>
  );
}

function WhatIsDue({ line }: { line: DoseLine }) {
  return (
    <p>
      {`${line.amountText}, due ${dayLabel(line.day, true)}, `}
      <span className="figure">{line.time}</span>
    </p>
  );
}

/** Moves a dose in three steps: choose a time, preview, confirm. */
export function MoveForm(props: MoveFormProps) {
  const { path, line, isPending, hasFollowing, dueDate, scope, preview, problem } = props;
  if (!isPending)
    return (
      <div className="grid gap-5">
        <WhatIsDue line={line} />
        <Notice tone="warning">
          <p>{problem}</p>
        </Notice>
        <p>
          <LinkButton to={path}>Back to the dose</LinkButton>
        </p>
      </div>
    );
  return (
    <div className="grid gap-5">
      <WhatIsDue line={line} />
      <Form method="get" action={`${path}/move`} className="grid max-w-xl gap-4">
        <ErrorSummary errors={[]} fields={fieldsToFix({ dueDate: problem })} />
        <Field
          label="New date and time"
          name="dueDate"
          type="datetime-local"
          defaultValue={dueDate}
          error={problem ?? undefined}
          hint="In your own time zone, at most 35 days ahead."
          required
        />
        {hasFollowing ? (
          <RadioGroup legend="What moves" name="scope" options={SCOPES} defaultValue={scope} />
        ) : (
          <p className="text-soft">Later doses depend on when you take this one.</p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button variant={preview === null ? 'primary' : 'quiet'}>Show what moves</Button>
          <LinkButton to={path}>Cancel</LinkButton>
        </div>
      </Form>
      {preview === null ? null : <Preview path={path} preview={preview} />}
    </div>
  );
}
