import { Form, Link } from '@remix-run/react';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field, NumberField } from '#app/ui/fields.tsx';
import { Submit } from '#app/ui/button.tsx';
import { DrawnLines, type LineDrawing } from '#app/ui/charts/plots.tsx';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';

const ACTION = '/dashboard/tracking/health';

/** A measure on the form. */
interface MeasureField {
  key: string;
  name: string;
  unit: string;
  /** The submitted value. */
  value?: string;
  error?: string;
}

interface QuickEntryProps {
  measures: readonly MeasureField[];
  measuredAt: string;
  measuredAtError?: string;
  saveKey: string;
  errors?: readonly string[];
  /** A suspicious blood pressure, such as "80/120"; sending it again confirms it. */
  askedPressure?: string | null;
}

/** Logs all measures at one time; blank ones are left out. */
export function QuickEntry({
  measures,
  measuredAt,
  measuredAtError,
  saveKey,
  errors,
  askedPressure,
}: QuickEntryProps) {
  const ownErrors = measures.map(({ key, error }) => [`measure-${key}`, error]);
  const toFix = fieldsToFix({ measuredAt: measuredAtError, ...Object.fromEntries(ownErrors) });
  return (
    <Form method="post" action={ACTION} noValidate className="grid gap-4">
      <input type="hidden" name="saveKey" value={saveKey} />
      {askedPressure ? <input type="hidden" name="confirmedPressure" value={askedPressure} /> : null}
      <ErrorSummary errors={errors} fields={toFix} />
      <div className="number-grid">
        <Field
          name="measuredAt"
          label="Date and time"
          type="datetime-local"
          defaultValue={measuredAt}
          error={measuredAtError}
        />
        {measures.map(({ key, name, unit, value, error }) => (
          <NumberField
            key={key}
            id={`measure-${key}`}
            name={`value.${key}`}
            label={name}
            unit={unit}
            defaultValue={value}
            error={error}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Submit label="Save measurements" action={ACTION} />
        <span className="text-sm text-soft">Fill in only what you measured.</span>
      </div>
    </Form>
  );
}

/** A link that chooses what is shown. */
interface TrendChoice {
  label: string;
  href: string;
  isChosen: boolean;
}

interface TrendRow {
  id: string;
  when: string;
  value: string;
}

interface TrendSectionProps {
  title: string;
  metrics: readonly TrendChoice[];
  periods: readonly TrendChoice[];
  /** The chart as a sentence; null when the period has no values. */
  sentence: string | null;
  chart: { drawing: LineDrawing; labels: readonly string[] } | null;
  rows: readonly TrendRow[];
}

function Choices({ label, choices }: { label: string; choices: readonly TrendChoice[] }) {
  return (
    <nav aria-label={label} className="mt-3">
      <ul className="chips">
        {choices.map(({ label: name, href, isChosen }) => (
          <li key={href}>
            <Link to={href} preventScrollReset className="chip" aria-current={isChosen ? 'true' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const TREND_COLUMNS = [
  { key: 'when', label: 'Measured', cell: ({ when }: TrendRow) => <span className="figure">{when}</span> },
  { key: 'value', label: 'Value', numeric: true, cell: ({ value }: TrendRow) => value },
];

/** One measure over a period. */
export function TrendSection({ title, metrics, periods, sentence, chart, rows }: TrendSectionProps) {
  return (
    <section aria-labelledby="trend-title" id="trend" className="mt-8 scroll-mt-4">
      <h2 id="trend-title" className="text-2xl">
        Trends
      </h2>
      <Choices label="Measure" choices={metrics} />
      <Choices label="Period" choices={periods} />
      {sentence !== null && chart !== null ? (
        <>
          <p className="mt-4">{sentence}</p>
          <div className="sheet mt-3 p-3">
            <DrawnLines {...chart} />
          </div>
          <Disclosure summary="As a table">
            <DataTable fixed caption={title} columns={TREND_COLUMNS} rows={rows} rowKey={({ id }) => id} />
          </Disclosure>
        </>
      ) : (
        <EmptyState title={`No ${title.toLowerCase()} in this period`}>
          Choose a longer period, or add a value above.
        </EmptyState>
      )}
    </section>
  );
}

/** A measurement as texts. */
interface MeasurementItem {
  id: string;
  when: string;
  name: string;
  value: string;
  notes: string | null;
}

const LIST_COLUMNS: readonly Column<MeasurementItem>[] = [
  { key: 'when', label: 'Measured', cell: ({ when }) => <span className="figure">{when}</span> },
  { key: 'name', label: 'Measure', cell: ({ name }) => name },
  { key: 'value', label: 'Value', numeric: true, cell: ({ value }) => value },
  {
    key: 'change',
    label: 'Actions',
    cell: ({ id, name, when }) => (
      <span className="no-print flex flex-wrap gap-x-4">
        <Link
          to={`/dashboard/tracking/health/${id}`}
          className="-my-2.5 inline-flex min-h-11 items-center"
          aria-label={`Edit ${name}, ${when}`}
        >
          Edit
        </Link>
        <Link
          to={`/dashboard/tracking/health/${id}/delete`}
          className="-my-2.5 inline-flex min-h-11 items-center text-danger"
          aria-label={`Delete ${name}, ${when}`}
        >
          Delete
        </Link>
      </span>
    ),
  },
];

interface MeasurementListProps {
  items: readonly MeasurementItem[];
  total: number;
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** All measurements, the latest first. */
export function MeasurementList({ items, total, ...pages }: MeasurementListProps) {
  if (total === 0) {
    return (
      <section aria-labelledby="measurements-title" className="mt-8">
        <h2 id="measurements-title">Measurements</h2>
        <EmptyState title="No measurements yet" drawing="chart">
          Save your first values above, or paste a table. Each measure then gets its own chart.
        </EmptyState>
      </section>
    );
  }
  return (
    <section aria-labelledby="measurements-title" id="measurements" className="mt-8 scroll-mt-4">
      <h2 id="measurements-title" className="text-2xl">{`Measurements (${total})`}</h2>
      <DataTable caption="Measurements" columns={LIST_COLUMNS} rows={items} rowKey={({ id }) => id} />
      <Pagination label="Measurements" {...pages} />
    </section>
  );
}
