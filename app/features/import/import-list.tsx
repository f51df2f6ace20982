import { Link } from '@remix-run/react';
import { Badge } from '#app/ui/badge.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { countsText } from './import-texts.ts';
import type { ImportLine } from './types.ts';

const STATES = {
  reading: 'Checked',
  checked: 'Checked',
  applying: 'Not finished',
  done: 'Imported',
  undoing: 'Not finished',
  undone: 'Undone',
} as const;

/** The page of an import. */
export const importHref = (id: string, step = ''): string => `/dashboard/import/${id}${step}`;

/** The state of an import in a word. */
export function StateBadge({ state }: Pick<ImportLine, 'state'>) {
  const isStuck = state === 'applying' || state === 'undoing';
  return <Badge tone={isStuck ? 'warn' : state === 'done' ? 'good' : 'soft'}>{STATES[state]}</Badge>;
}

function Line({ one: { id, state, fileName, at, added, mayUndo } }: { one: ImportLine }) {
  return (
    <li className="vendor-line">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3">
          <Link to={importHref(id)} className="vendor-name" aria-label={`${fileName ?? 'File'}, ${at}`}>
            {fileName ?? 'File without a name'}
          </Link>
          <StateBadge state={state} />
        </p>
        <p className="text-sm text-soft">
          {`${at}. ${state === 'done' ? `Added ${countsText(added) ?? 'nothing that was not there'}.` : ''}`}
        </p>
      </div>
      {mayUndo ? (
        <Link
          to={importHref(id, '/undo')}
          className="btn btn-quiet"
          aria-label={`Undo ${fileName ?? 'file'}, ${at}`}
        >
          Undo
        </Link>
      ) : null}
    </li>
  );
}

/** What was imported, the newest first. */
export function ImportList({ imports }: { imports: readonly ImportLine[] }) {
  return (
    <section aria-labelledby="imports-title" className="mt-10">
      <h2 id="imports-title">Your imports</h2>
      {imports.length === 0 ? (
        <EmptyState title="Nothing imported yet">
          What you import is listed here, and can be undone for 7 days.
        </EmptyState>
      ) : (
        <ul className="mt-3">
          {imports.map((one) => (
            <Line key={one.id} one={one} />
          ))}
        </ul>
      )}
    </section>
  );
}
