import { Form } from '@remix-run/react';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Measured } from '#app/ui/measurement.tsx';
import type { HistoryRow } from '#app/domain/calculator/history.ts';
import { deleteQuestion } from './short-names.ts';

interface DeleteConfirmProps {
  row: Pick<HistoryRow, 'peptideName' | 'summary' | 'day' | 'time'>;
  action: string;
  cancelHref: string;
}

/** The step before a saved calculation goes. */
export function DeleteConfirm({ row, action, cancelHref }: DeleteConfirmProps) {
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 ps-6">
      <h1>{deleteQuestion(row)}</h1>
      <p className="summary-line mt-4">
        <Measured text={row.summary} />
      </p>
      <p className="mt-3 text-soft">{`Saved ${row.day}, ${row.time}. Deleting cannot be undone.`}</p>
      <Form method="post" action={action} className="mt-6 flex flex-wrap gap-3">
        <Button variant="danger">Delete</Button>
        <LinkButton to={cancelHref}>Keep it</LinkButton>
      </Form>
    </div>
  );
}
