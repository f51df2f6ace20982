import { Form, Link } from '@remix-run/react';
import { ChartFigure } from '#app/ui/charts/chart-figure.tsx';
import { DrawnLines, type LineDrawing } from '#app/ui/charts/plots.tsx';
import { Button } from '#app/ui/button.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Field } from '#app/ui/fields.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { plural } from '#app/domain/text/plural.ts';

/** A half-life or a time of a peak with its source. */
interface UsedView {
  /** "4–7 h" */
  text: string;
  source: string;
  finding: string;
  isConfirmed: boolean;
  isOwn: boolean;
  /** What its owner set, for the form; empty for a built-in value. */
  hours: string;
}

/** A level curve as a drawing and texts to read. */
interface LevelView {
  name: string;
  drawing: LineDrawing;
  /** There are too many peaks to draw each. */
  isCrowded: boolean;
  days: number;
  /** Periods to choose from. */
  spans: { days: number; href: string; isChosen: boolean }[];
  doses: number;
  halfLife: UsedView;
  /** Null where nobody knows it. */
  peak: UsedView | null;
  isBand: boolean;
  basis: string;
  labels: string[];
  rows: { day: string; low: string; high: string; whatIf: string }[];
  /** Doses of the address, each with the address without it. */
  added: { text: string; without: string }[];
  /** A dose of the address that was not understood. */
  problem: { message: string; at: string; dose: string } | null;
  /** What the form for one more dose sends along. */
  kept: [name: string, value: string][];
  /** A time to begin with in that form. */
  suggested: string;
}

/** Where a figure of the curve comes from. */
function SourceOf({ label, used }: { label: string; used: UsedView }) {
  return (
    <p className="text-sm text-soft">
      {`${label} ${used.text}: ${used.source}. ${used.finding}`}
      {used.isConfirmed ? null : <strong>{' Not confirmed by a publication.'}</strong>}
    </p>
  );
}

const summaryOf = ({ halfLife, peak }: LevelView): string =>
  `Half-life: ${halfLife.text}. Peak: ${peak === null ? 'unknown' : peak.text}`;

/** The half-life and the peak with their sources, and a form for one's own. */
function TimesForm({ level, search, errors }: { level: LevelView; search: string; errors?: TimesErrors }) {
  const { name, halfLife, peak } = level;
  return (
    <Disclosure summary={summaryOf(level)} open={errors !== undefined}>
      <SourceOf label="Half-life" used={halfLife} />
      {peak === null ? (
        <p className="text-sm text-soft">
          Time of the peak unknown: no source that we know of states it. Enter one if you have it.
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
          id={`hours-${name}`}
          name="hours"
          label="Your half-life (hours)"
          inputMode="decimal"
          defaultValue={halfLife.hours}
          error={errors?.['hours']?.[0]}
        />
        <Field
          id={`peak-${name}`}
          name="peakHours"
          label="Your peak (hours)"
          inputMode="decimal"
          defaultValue={peak?.hours ?? ''}
          error={errors?.['peakHours']?.[0]}
        />
        <Field
          id={`source-${name}`}
          name="source"
          label="Where you have it from (optional)"
          maxLength={300}
          defaultValue=""
          error={errors?.['source']?.[0]}
        />
        <Button>Use</Button>
        {halfLife.isOwn || peak?.isOwn === true ? (
          <Button variant="plain" name="reset" value="1">
            Built-in values
          </Button>
        ) : null}
      </Form>
    </Disclosure>
  );
}

/** Adds a dose to the picture by its address alone: nothing is saved. */
function WhatIfForm({ level }: { level: LevelView }) {
  const { name, added, problem, kept, suggested } = level;
  const isAt = problem?.message.startsWith('Enter a day') === true;
  return (
    <Disclosure summary="What if? Add a dose to the picture" open={added.length > 0 || problem !== null}>
      <p className="text-sm text-soft">
        The dose stands in the address of this page alone: nothing is logged or planned.
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
        {kept.map(([key, value], index) => (
          <input key={`${key} ${String(index)}`} type="hidden" name={key} value={value} />
        ))}
        <input type="hidden" name="whatIf" value={name} />
        <Field
          id={`what-if-at-${name}`}
          name="whatIfAt"
          label="When"
          type="datetime-local"
          defaultValue={problem?.at ?? suggested}
          error={isAt ? problem.message : undefined}
        />
        <Field
          id={`what-if-dose-${name}`}
          name="whatIfDose"
          label="Dose with its unit"
          defaultValue={problem?.dose ?? ''}
          error={problem !== null && !isAt ? problem.message : undefined}
        />
        <Button>Add to the picture</Button>
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

/** The periods of one picture: those of compounds that peak within minutes are not those of compounds that last weeks. */
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

/** What the picture shows, in words. */
function sentenceOf(level: LevelView): string {
  const { doses, isBand, isCrowded, added, peak } = level;
  return [
    `An illustration from ${plural(doses, 'taken dose')}, not a measurement.`,
    'The highest point is 100 %; the dashed line after today is what your schedule would add.',
    ...(added.length > 0 ? ['The other dashed line adds the doses of this address.'] : []),
    ...(peak === null ? ['We know of no source for when this compound peaks: absorption unknown.'] : []),
    ...(isCrowded ? ['There are many peaks, so the chart shows the range between them.'] : []),
    ...(isBand ? ['Sources give different half-lives or peaks; the band shows the range.'] : []),
  ].join(' ');
}

/** The relative level of one compound. */
export function LevelChart({ level, search, errors }: LevelChartProps) {
  const { name, drawing, basis, rows, labels, spans, added } = level;
  return (
    <ChartFigure
      id={`level-${name.replace(/\W/g, '-')}`}
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
          id={`hours-${name}`}
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
