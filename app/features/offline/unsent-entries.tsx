import { useState } from 'react';
import { describeEntry, type Problem } from '#app/domain/offline/entry.ts';
import type { Queued } from '#app/offline/outbox.ts';
import { Button } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { ENTRY_FIELDS, shownMoment } from './entry-fields.ts';
import { EntryForm } from './entry-form.tsx';

const offlineSync = () => import('#app/offline/offline-sync.ts');

async function resend(queued: Queued, fields: Record<string, unknown>): Promise<void> {
  const { sendWaiting, requeueEntry } = await offlineSync();
  await requeueEntry({ ...queued, entry: { ...queued.entry, fields } });
  if (navigator.onLine) await sendWaiting();
}

const drop = (place: number) => offlineSync().then(({ dropEntry }) => dropEntry(place));

/** The fields of an entry that its form does not show, such as the id of the dose. */
function hiddenFieldsOf({ kind, fields }: Queued['entry']): Record<string, unknown> {
  const shown = new Set(ENTRY_FIELDS[kind].map(({ name }) => name));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !shown.has(name)));
}

/** Confirms every question, for the amount in question. */
const answerTo = ({ confirm, askedAmount }: Problem) => ({
  confirmed: confirm,
  ...(askedAmount === undefined ? {} : { confirmedAmount: askedAmount }),
});

/** What the user can do with an entry that the server refused. */
function Decision({ queued }: { queued: Queued }) {
  const { place, entry } = queued;
  const [editing, setEditing] = useState(false);
  const { problem, kind, fields } = entry;
  if (problem === null) return null;
  const canConfirm = problem.confirm.length > 0;
  return (
    <>
      <Notice tone="warning">{problem.message}</Notice>
      {editing ? (
        <EntryForm
          kind={kind}
          values={fields}
          hiddenFields={hiddenFieldsOf(entry)}
          errors={problem.fields}
          submit="Send again"
          onSave={(changed) => resend(queued, changed)}
        >
          <Button type="button" variant="plain" onClick={() => setEditing(false)}>
            Cancel
          </Button>
        </EntryForm>
      ) : (
        <div className="flex flex-wrap gap-3">
          {canConfirm ? (
            <Button
              type="button"
              variant="primary"
              onClick={() => void resend(queued, { ...fields, ...answerTo(problem) })}
            >
              Log it anyway
            </Button>
          ) : null}
          <Button type="button" onClick={() => setEditing(true)}>
            Edit
          </Button>
          <Button type="button" variant="danger" onClick={() => void drop(place)}>
            Delete
          </Button>
        </div>
      )}
    </>
  );
}

function Entry({ queued }: { queued: Queued }) {
  const { place, entry } = queued;
  const isRefused = entry.problem !== null;
  return (
    <li className="offline-row">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <span className="min-w-0 flex-1 font-semibold break-words">{describeEntry(entry)}</span>
        <span className="text-sm text-soft">{shownMoment(entry.at)}</span>
      </div>
      {isRefused ? (
        <Decision queued={queued} />
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <span className="flex-1 text-sm text-soft">Waiting to be sent</span>
          <Button
            type="button"
            variant="plain"
            aria-label={`Delete ${describeEntry(entry)}`}
            onClick={() => void drop(place)}
          >
            Delete
          </Button>
        </div>
      )}
    </li>
  );
}

/** How many entries wait to be sent; those that the server refused wait for their owner instead. */
export const unsentCount = (waiting: readonly Queued[]): number =>
  waiting.filter(({ entry }) => entry.problem === null).length;

/** "2 entries waiting, 1 entry needs an answer" */
function waitingText(waiting: readonly Queued[]): string {
  const unsent = unsentCount(waiting);
  const refused = waiting.length - unsent;
  return [
    ...(unsent > 0 ? [unsent === 1 ? '1 entry waiting' : `${unsent} entries waiting`] : []),
    ...(refused > 0 ? [refused === 1 ? '1 entry needs an answer' : `${refused} entries need an answer`] : []),
  ].join(', ');
}

/** The entries on this device that the server does not have yet, in order. */
export function WaitingList({ waiting }: { waiting: readonly Queued[] }) {
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby="waiting" className="offline-section">
      <h2 id="waiting">{waitingText(waiting)}</h2>
      <ul className="sheet">
        {waiting.map((queued) => (
          <Entry key={`${queued.place}-${queued.entry.problem === null}`} queued={queued} />
        ))}
      </ul>
    </section>
  );
}
