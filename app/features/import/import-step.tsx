import { fieldLabel } from '#app/domain/proposals/proposal.ts';
import { plural } from '#app/domain/text/plural.ts';
import { Form } from '@remix-run/react';
import { DataTable } from '#app/ui/data-table.tsx';
import { Notice } from '#app/ui/notice.tsx';
import type { BadLine, ImportView } from './pages.server.ts';
import { countsText, isImportType, TYPE_NAMES, type ImportType } from '#app/domain/records/type-names.ts';
import { LinkButton, Submit } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { importHref } from './import-page.tsx';

/** The name of a type for users; an unknown type of a file is shown unchanged. */
const typeText = (name: string): string => (isImportType(name) ? TYPE_NAMES[name].one : name);

/** The heading of a type: "Side effects". */
function typeTitle(type: ImportType): string {
  const { many } = TYPE_NAMES[type];
  return many.charAt(0).toUpperCase() + many.slice(1);
}

type Count = ImportView['counts'][number];

const number = (count: number) => count.toLocaleString('en');

const COUNT_COLUMNS = [
  { key: 'type', label: 'Type', cell: ({ type }: Count) => typeTitle(type) },
  { key: 'found', label: 'In the file', numeric: true, cell: ({ found }: Count) => number(found) },
  {
    key: 'there',
    label: 'Already there',
    numeric: true,
    cell: ({ found, fresh }: Count) => number(found - fresh),
  },
  { key: 'fresh', label: 'To add', numeric: true, cell: ({ fresh }: Count) => number(fresh) },
];

const BAD_COLUMNS = [
  { key: 'line', label: 'Line', numeric: true, cell: ({ line }: BadLine) => String(line) },
  { key: 'type', label: 'Type', cell: ({ type }: BadLine) => typeText(type) },
  { key: 'reason', label: 'Problem', cell: ({ reason }: BadLine) => reason },
];

/** How many records of each type a file contains. */
function CountTable({ counts }: Pick<ImportView, 'counts'>) {
  return (
    <DataTable
      caption="Records in the file"
      columns={COUNT_COLUMNS}
      rows={counts}
      rowKey={({ type }) => type}
    />
  );
}

type HealthFile = NonNullable<ImportView['health']>;

/** "HKQuantityTypeIdentifierBodyMass" as "Body mass". */
const healthTypeText = (type: string) =>
  fieldLabel(type.replace(/^HK[A-Za-z]+TypeIdentifier|^HKCategoryValue/, ''));

const TYPE_COLUMNS = [
  {
    key: 'type',
    label: 'Type',
    cell: ({ type }: { type: string }) => <span className="break-words">{healthTypeText(type)}</span>,
  },
  {
    key: 'records',
    label: 'Records',
    numeric: true,
    cell: ({ records }: { records: number }) => number(records),
  },
];

const UNDERSTOOD_COLUMNS = [
  ...TYPE_COLUMNS,
  { key: 'taken', label: 'Imported as', cell: ({ taken }: HealthFile['understood'][number]) => taken },
];

const LEFT_OUT_COLUMNS = [
  ...TYPE_COLUMNS,
  { key: 'reason', label: 'Reason', cell: ({ reason }: HealthFile['leftOut'][number]) => reason },
];

/** What was recognised in a phone's file, and what was left out. */
function HealthFileTables({ health: { understood, leftOut } }: { health: HealthFile }) {
  return (
    <>
      {understood.length === 0 ? null : (
        <section aria-labelledby="understood" className="grid gap-2">
          <h2 id="understood">Recognised</h2>
          <DataTable
            caption="How records are imported"
            columns={UNDERSTOOD_COLUMNS}
            rows={understood}
            rowKey={({ type, taken }) => `${type} ${taken}`}
          />
        </section>
      )}
      {leftOut.length === 0 ? null : (
        <section aria-labelledby="left-out" className="grid gap-2">
          <h2 id="left-out">Left out</h2>
          <DataTable
            caption="Why records are left out"
            columns={LEFT_OUT_COLUMNS}
            rows={leftOut}
            rowKey={({ type, reason }) => `${type} ${reason}`}
          />
        </section>
      )}
    </>
  );
}

const UNUSUAL_COLUMNS = [
  ...BAD_COLUMNS.slice(0, 2),
  { key: 'reason', label: 'What is unusual', cell: ({ reason }: BadLine) => reason },
];

/** The rows that are probably mistakes. */
function UnusualRows({ unusual, unusualCount }: Pick<ImportView, 'unusual' | 'unusualCount'>) {
  const more = unusualCount - unusual.length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Notice tone="warning" role="alert" title="Are these rows right?">
        <p>
          {plural(unusualCount, 'row is', 'rows are')} unusual. Correct the file and upload it again, or
          import them as they are.
        </p>
      </Notice>
      <DataTable
        caption="Unusual rows"
        columns={UNUSUAL_COLUMNS}
        rows={unusual}
        rowKey={({ type, line, reason }) => `${type} ${line} ${reason}`}
      />
      {more > 0 ? (
        <p className="text-soft">{`These are the first ${number(unusual.length)}; there are ${number(more)} more.`}</p>
      ) : null}
    </div>
  );
}

/** The rows whose errors prevent the import. */
function BadRows({ bad, badCount }: Pick<ImportView, 'bad' | 'badCount'>) {
  const more = badCount - bad.length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Notice tone="error" role="alert">
        <p>
          {plural(badCount, 'row contains', 'rows contain')} errors. Nothing was imported. Correct the file
          and upload it again.
        </p>
      </Notice>
      <DataTable
        caption="Rows with errors"
        columns={BAD_COLUMNS}
        rows={bad}
        rowKey={({ type, line }) => `${type} ${line}`}
      />
      {more > 0 ? (
        <p className="text-soft">{`These are the first ${number(bad.length)}. ${plural(more, 'more row contains', 'more rows contain')} errors.`}</p>
      ) : null}
      <p className="text-sm text-soft">
        For CSV, this is the line in the file; for JSON, the position in the list of that type.
      </p>
    </div>
  );
}

const LIST = '/dashboard/import';

const total = ({ counts }: ImportView) => counts.reduce((sum, { fresh }) => sum + fresh, 0);

function Apply({ view, again }: { view: ImportView; again: boolean }) {
  const count = total(view);
  const label = again ? 'Finish the import' : `Import ${plural(count, 'record')}`;
  const action = importHref(view.id);
  return (
    <Form method="post" action={action} className="flex flex-wrap gap-3">
      {view.unusualCount > 0 ? <input type="hidden" name="confirm" value="true" /> : null}
      <Submit label={label} pendingLabel="Importing..." action={action} variant="primary" />
      {again ? (
        <LinkButton to={importHref(view.id, '/undo')}>Undo import</LinkButton>
      ) : (
        <LinkButton to={LIST}>Choose another file</LinkButton>
      )}
    </Form>
  );
}

function Checked({ view }: { view: ImportView }) {
  if (view.badCount > 0)
    return (
      <>
        <BadRows {...view} />
        <div>
          <LinkButton to={LIST}>Choose another file</LinkButton>
        </div>
      </>
    );
  if (total(view) === 0)
    return (
      <>
        <Notice role="status">
          <p>
            {view.counts.length === 0
              ? 'This file contains no records.'
              : 'You already have everything in this file.'}
          </p>
        </Notice>
        {view.counts.length === 0 ? null : <CountTable counts={view.counts} />}
        {view.health === null ? null : <HealthFileTables health={view.health} />}
        <div>
          <LinkButton to={LIST}>Choose another file</LinkButton>
        </div>
      </>
    );
  return (
    <>
      <p>
        Nothing is saved yet. You can undo the import for 7 days. If you do not import it, the file is deleted
        after 24 hours.
      </p>
      <CountTable counts={view.counts} />
      {view.health === null ? null : <HealthFileTables health={view.health} />}
      {view.unusualCount > 0 ? <UnusualRows {...view} /> : null}
      <Apply view={view} again={false} />
    </>
  );
}

function Done({ view }: { view: ImportView }) {
  const added = countsText(view.added);
  const actions = (
    <>
      {view.mayUndo ? <LinkButton to={importHref(view.id, '/undo')}>Undo</LinkButton> : null}
      <LinkButton to={LIST}>All imports</LinkButton>
    </>
  );
  return (
    <Notice tone="success" role="status" actions={actions}>
      <p>
        {added === null ? 'Nothing to add: you already had everything in this file.' : `Imported: ${added}.`}
      </p>
      <p className="text-soft">
        {view.mayUndo
          ? `You can undo this import until ${view.undoUntil}.`
          : 'This import can no longer be undone.'}
      </p>
    </Notice>
  );
}

function Undone({ view }: { view: ImportView }) {
  const keptCounts = countsText(view.kept);
  return (
    <Notice role="status" actions={<LinkButton to={LIST}>All imports</LinkButton>}>
      <p>
        This import was undone.{' '}
        {keptCounts === null ? '' : `What you have changed since was kept: ${keptCounts}.`}
      </p>
    </Notice>
  );
}

/** The page of one import, whatever its state. */
export function ImportStep({ view, error }: { view: ImportView; error?: string | undefined }) {
  const { state } = view;
  return (
    <div className="sheet mt-4 grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5 p-5">
      <p className="break-words text-soft">{`${view.fileName ?? 'Unnamed file'}, ${view.at}`}</p>
      <ErrorSummary errors={error === undefined ? [] : [error]} />
      {state === 'checked' || state === 'reading' ? <Checked view={view} /> : null}
      {state === 'done' ? <Done view={view} /> : null}
      {state === 'undone' ? <Undone view={view} /> : null}
      {state === 'applying' || state === 'undoing' ? (
        <>
          <Notice tone="warning" role="status">
            <p>This import was interrupted. Finish it, or undo what was imported.</p>
          </Notice>
          {state === 'applying' ? (
            <Apply view={view} again />
          ) : (
            <div>
              <LinkButton to={importHref(view.id, '/undo')}>Undo import</LinkButton>
            </div>
          )}
        </>
      ) : null}
    </div>
  );
}
