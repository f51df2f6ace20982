import { Form, Link } from '@remix-run/react';
import { ChartFigure } from '#app/ui/charts/chart-figure.tsx';
import { DrawnLines, type LineDrawing } from '#app/ui/charts/plots.tsx';
import { Button } from '#app/ui/button.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Field } from '#app/ui/fields.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { plural } from '#app/domain/text/plural.ts';

/** A half-life or peak time with its source. */
interface UsedView {
  /** "4–7 h" */
  text: string;
  source: string;
  finding: string;
  isConfirmed: boolean;
  isOwn: boolean;
  /** The user's own value, for the form; empty for a built-in one. */
  hours: string;
}

/** A level curve as a drawing and as text. */
interface LevelView {
  name: string;
  drawing: LineDrawing;
  /** True if there are too many peaks to draw each one. */
  isCrowded: boolean;
  days: number;
  /** Periods to choose from. */
  spans: { days: number; href: string; isChosen: boolean }[];
  doses: number;
  halfLife: UsedView;
  /** Null if unknown. */
  peak: UsedView | null;
  isBand: boolean;
  basis: string;
  labels: string[];
  rows: { day: string; low: string; high: string; whatIf: string }[];
  /** The what-if doses, each with the address that leaves it out. */
  added: { text: string; without: string }[];
  /** Why a what-if dose could not be read. */
  problem: { message: string; at: string; dose: string } | null;
  /** Hidden fields of the form that adds a what-if dose. */
  hiddenFields: [name: string, value: string][];
  /** The initial time in that form. */
  suggested: string;
}

/** The source of a figure that the curve uses. */
function SourceOf({ label, used }: { label: string; used: UsedView }) {
  return (
    <p className="text-sm text-soft">
      {`${label} ${used.text}: ${used.source}. ${used.finding}`}
      {used.isConfirmed ? null : <strong>{' Not confirmed by a publication.'}</strong>}
    </p>
  );
}

/** An `id` for one compound, whose name may have spaces, which an `id` must not. */
const idFor = (what: string, name: string): string => `${what}-${name.replace(/\W/g, '-')}`;

/** The half-life and the peak with their sources, and a form for the user's own values. */
function TimesForm({ level, search, errors }: { level: LevelView; search: string; errors?: TimesErrors }) {
  const { name, halfLife, peak } = level;
  return (
    <Disclosure
      summary={`Half-life: ${halfLife.text}. Peak: ${peak === null ? 'unknown' : peak.text}`}
      open={errors !== undefined}
    >
      <SourceOf label="Half-life" used={halfLife} />
      {peak === null ? (
        <p className="text-sm text-soft">
          Peak time unknown: we know of no source that states it. Enter one if you have it.
        </p>
      ) : (
        <SourceOf label="Peak" used={peak} />
      )}
      <p className="text-sm">
        <Link to="/sources">All sources</Link>
      </p>
      <Form
        method="post"
        action={`/dashboard/analytics${search}`}
        className="mt-2 grid max-w-2xl items-end gap-3 sm:grid-cols-[1fr_1fr_2fr]"
      >
        <input type="hidden" name="name" value={name} />
        <Field
          id={idFor('hours', name)}
          name="hours"
          label="Your half-life (hours)"
          inputMode="decimal"
          defaultValue={halfLife.hours}
          error={errors?.['hours']?.[0]}
        />
        <Field
          id={idFor('peak', name)}
          name="peakHours"
          label="Your peak (hours)"
          inputMode="decimal"
          defaultValue={peak?.hours ?? ''}
          error={errors?.['peakHours']?.[0]}
        />
        <Field
          id={idFor('source', name)}
          name="source"
          label="Source (optional)"
          maxLength={300}
          defaultValue=""
          error={errors?.['source']?.[0]}
        />
        <Button>Use</Button>
        {halfLife.isOwn || peak?.isOwn === true ? (
          <Button variant="plain" name="intent" value="reset">
            Built-in values
          </Button>
        ) : null}
      </Form>
    </Disclosure>
  );
}

/** Adds a hypothetical dose to the chart through the page's address; nothing is saved. */
function WhatIfForm({ level }: { level: LevelView }) {
  const { name, added, problem, hiddenFields, suggested } = level;
  const isAt = problem?.message.startsWith('Enter a date') === true;
  return (
    <Disclosure summary="What if? Add a dose to the chart" open={added.length > 0 || problem !== null}>
      <p className="text-sm text-soft">
        The dose is only part of this page’s address. Nothing is logged or planned.
      </p>
      {added.length > 0 ? (
        <ul className="my-2">
          {added.map(({ text, without }) => (
            <li key={without} className="flex flex-wrap items-center gap-x-4">
              <Measured text={text} />
              <Link
                to={without}
                className="inline-flex min-h-11 items-center"
                preventScrollReset
                aria-label={`Remove ${text}`}
              >
                Remove
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <Form
        method="get"
        action="/dashboard/analytics"
        className="mt-2 grid max-w-2xl items-end gap-3 sm:grid-cols-[1fr_1fr_auto]"
      >
        {hiddenFields.map(([key, value], index) => (
          <input key={`${key} ${String(index)}`} type="hidden" name={key} value={value} />
        ))}
        <input type="hidden" name="whatIf" value={name} />
        <Field
          id={idFor('what-if-at', name)}
          name="whatIfAt"
          label="When"
          type="datetime-local"
          defaultValue={problem?.at ?? suggested}
          error={isAt ? problem.message : undefined}
        />
        <Field
          id={idFor('what-if-dose', name)}
          name="whatIfDose"
          label="Dose with its unit"
          defaultValue={problem?.dose ?? ''}
          error={problem !== null && !isAt ? problem.message : undefined}
        />
        <Button>Add to the chart</Button>
      </Form>
    </Disclosure>
  );
}

/** Messages by field. */
type TimesErrors = Readonly<Record<string, readonly string[] | undefined>>;

interface LevelChartProps {
  level: LevelView;
  /** Query string of the page, kept when the form is sent. */
  search: string;
  errors?: TimesErrors;
}

/** Links to the periods of one chart, which is chosen for each compound: some peak within minutes, others last weeks. */
function SpanLinks({ name, spans }: Pick<LevelView, 'name' | 'spans'>) {
  return (
    <nav aria-label={`Period of the level of ${name}`} className="no-print mb-2 flex flex-wrap gap-x-4">
      {spans.map(({ days, href, isChosen }) => (
        <Link
          key={days}
          to={href}
          preventScrollReset
          aria-current={isChosen ? 'true' : undefined}
          className={`inline-flex min-h-11 items-center ${isChosen ? 'font-semibold' : ''}`}
        >
          {plural(days, 'day')}
        </Link>
      ))}
    </nav>
  );
}

/** Describes what the chart shows. */
function sentenceOf(level: LevelView): string {
  const { doses, isBand, isCrowded, added, peak } = level;
  return [
    `Estimate from ${plural(doses, 'dose')}, not a blood level.`,
    'The highest point is 100%; the dashed line after today shows your planned doses.',
    ...(added.length > 0 ? ['The other dashed line includes your what-if doses.'] : []),
    ...(peak === null ? ['Absorption unknown.'] : []),
    ...(isCrowded ? ['There are many peaks, so the chart shows the range between them.'] : []),
    ...(isBand ? ['Sources give different half-lives or peaks; the band shows the range.'] : []),
  ].join(' ');
}

/** The relative level of one compound. */
export function LevelChart({ level, search, errors }: LevelChartProps) {
  const { name, drawing, basis, rows, labels, spans, added } = level;
  return (
    <ChartFigure
      id={idFor('level', name)}
      title={`Relative level, ${name}`}
      sentence={sentenceOf(level)}
      basis={basis}
      table={{
        rows,
        rowKey: ({ day }) => day,
        columns: [
          { key: 'day', label: level.days > 7 ? 'Day' : 'From', cell: ({ day }) => day },
          { key: 'low', label: 'Lowest', numeric: true, cell: ({ low }) => low },
          { key: 'high', label: 'Highest', numeric: true, cell: ({ high }) => high },
          ...(added.length === 0
            ? []
            : [
                {
                  key: 'whatIf',
                  label: 'With added doses',
                  numeric: true,
                  cell: ({ whatIf }: LevelView['rows'][number]) => whatIf,
                },
              ]),
        ],
      }}
    >
      <SpanLinks name={name} spans={spans} />
      <DrawnLines drawing={drawing} labels={labels} />
      <TimesForm level={level} search={search} errors={errors} />
      <WhatIfForm level={level} />
    </ChartFigure>
  );
}

/** A compound with doses but without a half-life. */
export function NoHalfLife({ name, search, error }: { name: string; search: string; error?: string }) {
  return (
    <section className="chart-figure" aria-label={`Relative level, ${name}`}>
      <h2 className="text-xl">{`Relative level, ${name}`}</h2>
      <p className="mt-1 text-soft">The half-life of this compound is not known. Enter one to see a curve.</p>
      <Form
        method="post"
        action={`/dashboard/analytics${search}`}
        className="mt-2 grid max-w-md items-end gap-3 sm:grid-cols-[1fr_auto]"
      >
        <input type="hidden" name="name" value={name} />
        <Field
          id={idFor('hours', name)}
          name="hours"
          label="Half-life (hours)"
          inputMode="decimal"
          error={error}
        />
        <Button>Use</Button>
      </Form>
    </section>
  );
}
