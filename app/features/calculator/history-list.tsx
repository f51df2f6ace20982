import { Form, Link, useFetcher } from '@remix-run/react';
import { useEffect, useRef, type MouseEvent, useState } from 'react';
import type { HistorySort, HistoryRow } from '#app/domain/calculator/history.ts';
import { FilterForm, SortSelect, Pagination } from '#app/ui/list-controls.tsx';
import { Button, LinkButton, CopyButton } from '#app/ui/button.tsx';
import { Field } from '#app/ui/fields.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { shownAhead } from '#app/ui/connection/client-action.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Figure, Measured } from '#app/ui/figure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

interface HistoryListProps {
  rows: readonly HistoryRow[];
  filter: HistoryFilterProps;
  /** The page that asks before deleting. */
  deleteHref: (id: string) => string;
  /** The list without the search. */
  clearSearchHref: string;
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** Saved calculations: search, sort, entries, pages. */
export function HistoryList({ rows, filter, deleteHref, clearSearchHref, ...pages }: HistoryListProps) {
  const searching = filter.search !== '';
  return (
    <section aria-labelledby="history-title" id="history" className="mt-8 scroll-mt-4">
      <h2 id="history-title" tabIndex={-1} className="text-2xl">
        Calculation history
      </h2>
      {rows.length > 0 || searching ? <HistoryFilter {...filter} /> : null}
      {rows.length > 0 ? (
        <ol className="sheet mt-4">
          {rows.map((row) => (
            <HistoryItem key={row.id} row={row} deleteHref={deleteHref(row.id)} />
          ))}
        </ol>
      ) : (
        <Nothing search={filter.search} clearSearchHref={clearSearchHref} />
      )}
      <Pagination label="Saved calculations" {...pages} />
    </section>
  );
}

function Nothing({ search, clearSearchHref }: { search: string; clearSearchHref: string }) {
  if (search) {
    return (
      <EmptyState title="No match" action={<LinkButton to={clearSearchHref}>Show all</LinkButton>}>
        {`No saved calculation has “${search}” in its name or notes.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No calculations yet"
      drawing="notebook"
      action={
        <LinkButton variant="primary" to="#calculator">
          Start one
        </LinkButton>
      }
    >
      Save a result to find it here later, with its date.
    </EmptyState>
  );
}

interface HistoryFilterProps {
  /** The page with the list, which search and sort load with a GET. */
  action: string;
  search: string;
  sort: HistorySort;
  /** Other parameters of the URL, such as `history=1`. */
  keep?: Readonly<Record<string, string>>;
}

const SORTS: readonly { value: HistorySort; label: string }[] = [
  { value: 'date', label: 'Date, newest first' },
  { value: 'name', label: 'Peptide name, A to Z' },
  { value: 'concentration', label: 'Concentration, highest first' },
];

function HistoryFilter({ action, search, sort, keep = {} }: HistoryFilterProps) {
  return (
    <FilterForm action={action} preventScrollReset role="search" className="no-print history-filter">
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field name="search" type="search" label="Search name or notes" defaultValue={search} maxLength={200} />
      <SortSelect name="sort" label="Sort by" options={SORTS} defaultValue={sort} />
      <Button>Search</Button>
    </FilterForm>
  );
}

/**
 * One entry: its date in the margin, its content to the right. A deleted one disappears immediately and comes back if the
 * server could not delete it.
 */
function HistoryItem({ row, deleteHref }: { row: HistoryRow; deleteHref: string }) {
  const fetcher = useFetcher({ key: `delete-${row.id}` });
  const [isAsking, setAsking] = useState(false);
  const answer = (isDeleted: boolean) => {
    setAsking(false);
    // The row that had the focus is gone.
    if (isDeleted) document.getElementById('history-title')?.focus();
  };
  return (
    <li className="entry history-item" data-leaving={shownAhead(fetcher) ? true : undefined}>
      <time dateTime={row.createdAt} className="history-when">
        <span className="figure">{row.day}</span> <span className="figure">{row.time}</span>
      </time>
      <div className="history-body">
        <Badge tone={row.peptideName ? 'pen' : 'soft'}>{nameOf(row)}</Badge>
        <dl className="history-figures">
          <div>
            <dt>{row.form === 'powder' ? 'In the vial' : CONTAINERS[row.form]}</dt>
            <dd>
              <Figure value={`${row.peptideAmountText} ${row.amountUnit}`} />{' '}
              {row.form === 'capsule' ? null : (
                <>
                  {row.isMeasured ? 'measured ' : ''}in <Figure value={`${row.waterVolumeText} ml`} />
                </>
              )}
            </dd>
          </div>
          {row.form === 'capsule' ? null : (
            <div>
              <dt>Concentration</dt>
              <dd>
                <Figure value={`${row.concentrationText} ${row.amountUnit}/ml`} />
              </dd>
            </div>
          )}
          <div>
            <dt>Dose</dt>
            <dd>
              <span className="figure history-dose">
                <Measured text={`${row.desiredDoseText} ${row.amountUnit} = ${row.drawText}`} />
              </span>
            </dd>
          </div>
        </dl>
        {row.notes ? <p className="whitespace-pre-line">{row.notes}</p> : null}
        {isAsking ? (
          <DeleteQuestion row={row} href={deleteHref} form={fetcher.Form} onAnswer={answer} />
        ) : (
          <div className="no-print flex flex-wrap gap-x-4">
            <CopyButton text={row.summary} variant="plain" className="px-0" />
            <DeleteLink row={row} href={deleteHref} onAsk={() => setAsking(true)} />
          </div>
        )}
      </div>
    </li>
  );
}

interface DeleteLinkProps {
  row: HistoryRow;
  href: string;
  onAsk: () => void;
}

/** A link to the page that asks before deleting. With scripts the row itself asks, except when opened in a new tab. */
function DeleteLink({ row, href, onAsk }: DeleteLinkProps) {
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

/** The question in the row, with the same words and buttons as on the page. */
function DeleteQuestion({ row, href, form: Form, onAnswer }: DeleteQuestionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="history-question">
      <h3 ref={heading} tabIndex={-1}>
        {deleteQuestion(row)}
      </h3>
      <p className="text-soft">This cannot be undone.</p>
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

interface DeleteConfirmProps {
  row: Pick<HistoryRow, 'peptideName' | 'summary' | 'day' | 'time'>;
  action: string;
  cancelHref: string;
}

/** Asks before a saved calculation is deleted. */
export function DeleteConfirm({ row, action, cancelHref }: DeleteConfirmProps) {
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 ps-6">
      <h1>{deleteQuestion(row)}</h1>
      <p className="summary-line mt-4">
        <Measured text={row.summary} />
      </p>
      <p className="mt-3 text-soft">{`Saved ${row.day}, ${row.time}. This cannot be undone.`}</p>
      <Form method="post" action={action} className="mt-6 flex flex-wrap gap-3">
        <Button variant="danger">Delete</Button>
        <LinkButton to={cancelHref}>Keep it</LinkButton>
      </Form>
    </div>
  );
}

const UNNAMED = 'Unnamed';

/** What the amount of a calculation is in. */
const CONTAINERS = {
  solution: 'In the container',
  pen: 'In the pen',
  spray: 'In the bottle',
  capsule: 'In a capsule',
} as const;

function nameOf({ peptideName }: { peptideName: string | null }): string {
  return peptideName ?? UNNAMED;
}

function deleteQuestion(row: { peptideName: string | null }): string {
  return `Delete calculation for ${nameOf(row)}?`;
}
