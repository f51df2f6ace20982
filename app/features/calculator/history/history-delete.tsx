import { Link, type useFetcher } from '@remix-run/react';
import { useEffect, useRef, type MouseEvent } from 'react';
import type { HistoryRow } from '#app/domain/calculator/history.ts';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { deleteQuestion, nameOf } from './short-names.ts';

interface DeleteLinkProps {
  row: HistoryRow;
  href: string;
  onAsk: () => void;
}

/** To the page that asks before deleting. With scripts the question is asked in the row; a new tab still gets the page. */
export function DeleteLink({ row, href, onAsk }: DeleteLinkProps) {
  const ask = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onAsk();
  };
  return (
    <Link
      to={href}
      onClick={ask}
      className="btn btn-plain px-0 text-danger"
      aria-label={`Delete ${nameOf(row)}, ${row.day}`}
    >
      <Icon name="trash" size={16} />
      Delete
    </Link>
  );
}

interface DeleteQuestionProps {
  row: HistoryRow;
  /** Where the form is posted, and where "Keep it" leads without scripts. */
  href: string;
  form: ReturnType<typeof useFetcher>['Form'];
  onAnswer: (isDeleted: boolean) => void;
}

/** The question in the row: the same words and buttons as on the page that asks. */
export function DeleteQuestion({ row, href, form: Form, onAnswer }: DeleteQuestionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="history-question">
      <h3 ref={heading} tabIndex={-1}>
        {deleteQuestion(row)}
      </h3>
      <p className="text-soft">Deleting cannot be undone.</p>
      <Form method="post" action={href} className="mt-3 flex flex-wrap gap-3" onSubmit={() => onAnswer(true)}>
        <input type="hidden" name="from" value="list" />
        <Button variant="danger">Delete</Button>
        <Link
          to={href}
          className="btn"
          onClick={(event) => {
            event.preventDefault();
            onAnswer(false);
          }}
        >
          Keep it
        </Link>
      </Form>
    </div>
  );
}
