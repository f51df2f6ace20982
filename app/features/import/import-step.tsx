import { Form } from '@remix-run/react';
import { LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Submit } from '#app/ui/submit.tsx';
import { BadRows, CountTable } from './import-check.tsx';
import { importHref } from './import-list.tsx';
import type { ImportView } from './types.ts';
import { countsText } from './import-texts.ts';

const LIST = '/dashboard/import';

const total = ({ counts }: ImportView) => counts.reduce((sum, { fresh }) => sum + fresh, 0);

function Apply({ view, again }: { view: ImportView; again: boolean }) {
  const count = total(view);
  const label = again
    ? 'Finish the import'
    : `Import ${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'}`;
  const action = importHref(view.id);
  return (
    <Form method="post" action={action} className="flex flex-wrap gap-3">
      <Submit label={label} pendingLabel="Importing..." action={action} variant="primary" />
      {again ? (
        <LinkButton to={importHref(view.id, '/undo')}>Undo it</LinkButton>
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
              ? 'There is no record in this file.'
              : 'You have everything in this file already. There is nothing to import.'}
          </p>
        </Notice>
        {view.counts.length === 0 ? null : <CountTable counts={view.counts} />}
        <div>
          <LinkButton to={LIST}>Choose another file</LinkButton>
        </div>
      </>
    );
  return (
    <>
      <p>
        Nothing is saved yet. All of it is imported at once, and you can undo it for 7 days. The file is
        forgotten after 24 hours.
      </p>
      <CountTable counts={view.counts} />
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
      <p>{added === null ? 'Imported: everything was there already.' : `Imported: ${added}.`}</p>
      <p className="text-soft">
        {view.mayUndo ? `It can be undone until ${view.undoUntil}.` : 'It can no longer be undone.'}
      </p>
    </Notice>
  );
}

function Undone({ view }: { view: ImportView }) {
  const kept = countsText(view.kept);
  return (
    <Notice role="status" actions={<LinkButton to={LIST}>All imports</LinkButton>}>
      <p>This import was undone. {kept === null ? '' : `What you changed since stays: ${kept}.`}</p>
    </Notice>
  );
}

/** An import at whatever step it is. */
export function ImportStep({ view, error }: { view: ImportView; error?: string | undefined }) {
  const { state } = view;
  return (
    <div className="sheet mt-4 grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5 p-5">
      <p className="break-words text-soft">{`${view.fileName ?? 'File without a name'}, ${view.at}`}</p>
      <ErrorSummary errors={error === undefined ? [] : [error]} />
      {state === 'checked' || state === 'reading' ? <Checked view={view} /> : null}
      {state === 'done' ? <Done view={view} /> : null}
      {state === 'undone' ? <Undone view={view} /> : null}
      {state === 'applying' || state === 'undoing' ? (
        <>
          <Notice tone="warning" role="status">
            <p>This import was cut off. Finish it, or undo what was imported.</p>
          </Notice>
          {state === 'applying' ? (
            <Apply view={view} again />
          ) : (
            <div>
              <LinkButton to={importHref(view.id, '/undo')}>Undo it</LinkButton>
            </div>
          )}
        </>
      ) : null}
    </div>
  );
}
