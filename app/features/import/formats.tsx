import { DOSE_COLUMNS } from '#app/domain/import/csv-rows.ts';

/** Where the example of the table of doses is. */
export const EXAMPLE_PATH = '/dashboard/import/doses-example.csv';

const ABOUT: Readonly<Record<(typeof DOSE_COLUMNS)[number], string>> = {
  takenAt: 'Date and time, as 2026-03-09 08:00 on your own clock, or with an offset: 2026-03-09T08:00:00Z',
  name: 'What was taken, at most 100 characters',
  amount: 'A number above 0, at most 100 mg',
  unit: 'mg or mcg',
  site: 'May be missing: an injection site, as abdomen-upper-left',
  notes: 'May be missing',
};

/** What a file may be, and the table of doses column by column. */
export function ImportFormats() {
  return (
    <section aria-labelledby="formats-title" className="mt-10">
      <h2 id="formats-title">What you can import</h2>
      <div className="mt-3 grid max-w-prose gap-3">
        <p>
          <strong>An export of Vialbook</strong>, CSV or JSON, of this account or another one: calculations,
          vials, schedules, nutrition, side effects and injections. Pictures are not part of an export.
        </p>
        <p>
          <strong>A table of doses</strong> that you took, as CSV: one heading line, then a line for each
          dose. They are added to your history and take nothing from your stock.
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
          What you have already is not added again, and a day of nutrition that has an entry keeps it. A file
          with a wrong row is not imported at all. Active schedules go on: their doses are planned from now
          on.
        </p>
      </div>
    </section>
  );
}
