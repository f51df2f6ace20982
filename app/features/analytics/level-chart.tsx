import { Form } from '@remix-run/react';
import { envelopeOf } from '#app/domain/analytics/curve-envelope.ts';
import { ChartFigure } from '#app/ui/charts/chart-figure.tsx';
import { LinePlot, type Series } from '#app/ui/charts/line-plot.tsx';
import { Button } from '#app/ui/button.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { Field } from '#app/ui/field.tsx';
import { DAY_MS } from '#app/domain/time/durations.ts';
import { plural } from '#app/domain/text/plural.ts';

/** A level curve as numbers to draw and texts to read. */
export interface LevelView {
  name: string;
  points: { at: number; low: number; high: number }[];
  from: number;
  now: number;
  to: number;
  doses: number;
  /** "4–7 h" */
  halfLife: string;
  hours: string;
  source: string;
  isOwn: boolean;
  isBand: boolean;
  absorption: string;
  labels: string[];
  days: { day: string; low: string; high: string }[];
}

/** With more peaks than this, the range between them is drawn instead. */
const MOST_PEAKS = 45;

/** The number of stretches for that range; a stretch is at least a day. */
const STRETCHES = 60;

const isCrowded = ({ doses }: LevelView) => doses > MOST_PEAKS;

function seriesOf(level: LevelView): Series[] {
  const { points, from, to, now, isBand } = level;
  const past = points.filter(({ at }) => at <= now);
  const future = points.filter(({ at }) => at >= now);
  const lines = (list: typeof points, kind: 'line' | 'dashed'): Series[] => [
    { kind, tone: 'pen', points: list.map(({ at, high }) => [at, high] as const) },
    ...(isBand
      ? [{ kind, tone: 'pen' as const, points: list.map(({ at, low }) => [at, low] as const) }]
      : []),
  ];
  const band = (list: typeof points): Series => ({
    kind: 'band',
    tone: 'pen',
    points: list.map(({ at, low, high }) => [at, low, high] as const),
  });
  if (!isCrowded(level))
    return [...(isBand ? [band(points)] : []), ...lines(past, 'line'), ...lines(future, 'dashed')];
  const stretches = envelopeOf(past, from, Math.max(DAY_MS, (to - from) / STRETCHES));
  const edge = (which: 'low' | 'high'): Series => ({
    kind: 'line',
    tone: 'pen',
    points: stretches.map((one) => [one.at, one[which]] as const),
  });
  return [band(stretches), edge('high'), edge('low'), ...lines(future, 'dashed')];
}

function HalfLifeForm({ level, search, error }: { level: LevelView; search: string; error?: string }) {
  return (
    <Disclosure summary={`Half-life: ${level.halfLife}`} open={error !== undefined}>
      <p className="text-sm text-soft">{level.source}</p>
      <Form
        method="post"
        action={`/dashboard/analytics${search}`}
        className="mt-2 grid max-w-md items-end gap-3 sm:grid-cols-[1fr_auto_auto]"
      >
        <input type="hidden" name="name" value={level.name} />
        <Field
          id={`hours-${level.name}`}
          name="hours"
          label="Your value (hours)"
          inputMode="decimal"
          defaultValue={level.hours}
          error={error}
        />
        <Button>Use</Button>
        {level.isOwn ? (
          <Button variant="plain" name="reset" value="1">
            Built-in value
          </Button>
        ) : null}
      </Form>
    </Disclosure>
  );
}

interface LevelChartProps {
  level: LevelView;
  /** Query string of the page, kept when the form is sent. */
  search: string;
  error?: string;
}

/** The relative level of one compound. */
export function LevelChart({ level, search, error }: LevelChartProps) {
  const { name, from, to, now, doses, absorption, isBand } = level;
  const crowded = isCrowded(level) ? ' There are many peaks, so the chart shows the range between them.' : '';
  return (
    <ChartFigure
      id={`level-${name.replace(/\W/g, '-')}`}
      title={`Relative level, ${name}`}
      sentence={`An illustration from ${plural(doses, 'taken dose')}, not a measurement. The highest point is 100 %; the dashed line after today is what your schedule would add.${crowded}${isBand ? ' Sources give different half-lives; the band shows the range.' : ''}`}
      basis={`Sum over all doses of dose × 0.5^(time ÷ half-life), ${absorption}.`}
      table={{
        rows: level.days,
        rowKey: ({ day }) => day,
        columns: [
          { key: 'day', label: 'Day', cell: ({ day }) => day },
          { key: 'low', label: 'Lowest', numeric: true, cell: ({ low }) => low },
          { key: 'high', label: 'Highest', numeric: true, cell: ({ high }) => high },
        ],
      }}
    >
      <LinePlot
        series={seriesOf(level)}
        from={from}
        to={to}
        now={now}
        word={(value) => `${Math.round(value)} %`}
        labels={level.labels}
        least={100}
      />
      <HalfLifeForm level={level} search={search} error={error} />
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
