import { Form, Link } from '@remix-run/react';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { describe, FieldShell } from '#app/ui/fields.tsx';
import { Submit } from '#app/ui/button.tsx';
import { DOSE_COLUMNS } from '#app/domain/records/type-names.ts';
import { Badge } from '#app/ui/badge.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { countsText } from '#app/domain/records/type-names.ts';
import type { ImportLine } from './pages.server.ts';

const ACTION = '/dashboard/import?index';

/** The form that checks a file. Nothing is saved by sending it. */
export function UploadForm({ error }: { error?: string | undefined }) {
  const texts = {
    id: 'file',
    label: 'File',
    hint: 'CSV, JSON, XML or zip, up to 32 MB and 100,000 records. We check the file first; nothing is saved yet.',
    ...(error === undefined ? {} : { error }),
  };
  return (
    <Form
      method="post"
      action={ACTION}
      encType="multipart/form-data"
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      <ErrorSummary errors={error === undefined ? [] : [error]} />
      <FieldShell {...texts}>
        <input
          type="file"
          name="file"
          accept=".json,.csv,.xml,.zip,application/json,text/csv,application/xml,text/xml,application/zip"
          {...describe(texts)}
          className="w-full py-2"
        />
      </FieldShell>
      <div>
        <Submit label="Check file" pendingLabel="Checking..." action={ACTION} variant="primary" />
      </div>
    </Form>
  );
}

const EXAMPLE_PATH = '/dashboard/import/doses-example.csv';

const ABOUT: Readonly<Record<(typeof DOSE_COLUMNS)[number], string>> = {
  takenAt: 'Date and time: 2026-03-09 08:00 in your own time zone, or with an offset: 2026-03-09T08:00:00Z',
  name: 'What you took, up to 100 characters',
  amount: 'A number above 0, up to 100 mg',
  unit: 'mg or mcg',
  site: 'Optional: an injection site such as abdomen-upper-left',
  notes: 'Optional',
};

/** The accepted files, and each column of the table of doses. */
export function ImportFormats() {
  return (
    <section aria-labelledby="formats-title" className="mt-10">
      <h2 id="formats-title">What you can import</h2>
      <div className="mt-3 grid max-w-prose gap-3">
        <p>
          <strong>A Vialbook export</strong> (CSV or JSON) from this or another account: calculations, vials,
          schedules, doses taken, nutrition, side effects, injections and health. Exports do not contain
          pictures.
        </p>
        <p>
          <strong>Health data from your phone</strong>: the Apple Health export (the zip or the{' '}
          <code>export.xml</code> inside), or JSON from Health Auto Export or a Health Connect exporter.
          Weight, body fat, blood pressure, heart rate, glucose and sleep become measurements. Frequent heart
          rates become one mean a day, and sleep becomes hours per night. Before anything is saved, you see
          what was recognised and what was left out. For larger files, use <code>vialbook import</code> in the
          terminal.
        </p>
        <p>
          <strong>A table of doses</strong> you took (CSV): a header line, then one line per dose. They are
          added to your history; your stock does not change.
        </p>
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[7rem_minmax(0,1fr)]">
          {DOSE_COLUMNS.map((name) => (
            <div key={name} className="contents">
              <dt className="figure">{name}</dt>
              <dd className="m-0 text-soft">{ABOUT[name]}</dd>
            </div>
          ))}
        </dl>
        <p>
          <a href={EXAMPLE_PATH} download className="btn btn-quiet">
            Download an example
          </a>
        </p>
        <p className="text-soft">
          Records you already have are skipped, and a day that already has a nutrition entry keeps it. If any
          row contains an error, nothing is imported. Active schedules continue: their doses are planned from
          now on.
        </p>
      </div>
    </section>
  );
}

const STATES = {
  reading: 'Checked',
  checked: 'Checked',
  applying: 'Unfinished',
  done: 'Imported',
  undoing: 'Unfinished',
  undone: 'Undone',
} as const;

/** The page of an import. */
export const importHref = (id: string, step = ''): string => `/dashboard/import/${id}${step}`;

/** The account's imports, the newest first. */
export function ImportList({ imports }: { imports: readonly ImportLine[] }) {
  return (
    <section aria-labelledby="imports-title" className="mt-10">
      <h2 id="imports-title">Your imports</h2>
      {imports.length === 0 ? (
        <EmptyState title="Nothing imported yet" drawing="notebook">
          Your imports will be listed here. You can undo each one for 7 days.
        </EmptyState>
      ) : (
        <ul className="mt-3">
          {imports.map(({ id, state, fileName, at, added, mayUndo }) => {
            const isStuck = state === 'applying' || state === 'undoing';
            return (
              <li key={id} className="vendor-line">
                <div className="min-w-0">
                  <p className="flex flex-wrap items-center gap-x-3">
                    <Link
                      to={importHref(id)}
                      className="vendor-name"
                      aria-label={`${fileName ?? 'File'}, ${at}`}
                    >
                      {fileName ?? 'Unnamed file'}
                    </Link>
                    <Badge tone={isStuck ? 'warn' : state === 'done' ? 'good' : 'soft'}>
                      {STATES[state]}
                    </Badge>
                  </p>
                  <p className="text-sm text-soft">
                    {`${at}. ${state === 'done' ? `Added ${countsText(added) ?? 'nothing new'}.` : ''}`}
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
          })}
        </ul>
      )}
    </section>
  );
}
