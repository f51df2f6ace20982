import { monthLabel, shownDay } from '#app/domain/time/calendar.ts';
import { LEAST_SAMPLE, type Comparison, type HeatRow } from '#app/domain/analytics/day-figures.ts';
import { BarPlot, LinePlot, ShareBars, HeatMap } from '#app/ui/charts/plots.tsx';
import { ChartFigure } from '#app/ui/charts/chart-figure.tsx';
import { Figures } from '#app/ui/figure.tsx';
import { sentenceCase } from '#app/domain/text/sentence-case.ts';
import { plural } from '#app/domain/text/plural.ts';
import { ADHERENCE_FORMULA, noAdherenceText, type DoseGroup } from '#app/domain/doses/adherence.ts';

const COUNTS = [
  { key: 'taken', label: 'Taken', numeric: true, cell: (row: DoseGroup) => row.taken },
  { key: 'missed', label: 'Missed', numeric: true, cell: (row: DoseGroup) => row.missed },
  { key: 'skipped', label: 'Skipped', numeric: true, cell: (row: DoseGroup) => row.skipped },
  { key: 'unplanned', label: 'Without a plan', numeric: true, cell: (row: DoseGroup) => row.unplanned },
  { key: 'share', label: 'Adherence', numeric: true, cell: (row: DoseGroup) => row.text ?? '–' },
];

const whole = (value: number): string => String(Math.round(value));

interface PeriodFiguresProps {
  /** Doses taken, planned or not. */
  taken: number;
  missed: number;
  /** "93%"; null when no planned dose was due. */
  adherence: string | null;
  effects: number;
}

/** The period in four figures, before its charts. */
export function PeriodFigures({ taken, missed, adherence, effects }: PeriodFiguresProps) {
  return (
    <Figures
      className="mb-4"
      figures={[
        { label: 'Adherence', value: adherence ?? '–' },
        { label: 'Doses taken', value: String(taken) },
        { label: 'Doses missed', value: String(missed) },
        { label: 'Side effects', value: String(effects) },
      ]}
    />
  );
}

/** Taken and missed doses of each week. */
export function AdherenceByWeek({ weeks }: { weeks: readonly DoseGroup[] }) {
  const taken = weeks.reduce((sum, week) => sum + week.taken + week.unplanned, 0);
  const missed = weeks.reduce((sum, week) => sum + week.missed, 0);
  return (
    <ChartFigure
      id="adherence-weeks"
      title="Doses by week"
      sentence={`${taken} taken (solid) and ${missed} missed (red, on top) in ${plural(weeks.length, 'week')}.`}
      table={{
        rows: weeks,
        rowKey: ({ key }) => key,
        columns: [{ key: 'week', label: 'Week of', cell: ({ key }) => shownDay(key) }, ...COUNTS],
      }}
    >
      <BarPlot
        bars={weeks.map((week) => ({
          key: week.key,
          parts: [
            { value: week.taken + week.unplanned, tone: 'pen' },
            { value: week.missed, tone: 'danger' },
          ],
        }))}
        word={whole}
        labels={endsOf(weeks.map(({ key }) => key))}
      />
    </ChartFigure>
  );
}

export function AdherenceByCompound({ compounds }: { compounds: readonly DoseGroup[] }) {
  return (
    <ChartFigure
      id="adherence-compounds"
      title="Adherence by compound"
      sentence={compounds
        .map((group) => `${group.key}: ${group.text ?? noAdherenceText(group)}`)
        .join(', ')
        .concat('.')}
      basis={ADHERENCE_FORMULA}
      table={{
        rows: compounds,
        rowKey: ({ key }) => key,
        columns: [{ key: 'name', label: 'Compound', cell: ({ key }) => key }, ...COUNTS],
      }}
    >
      <ShareBars
        shares={compounds.map((group) => ({
          key: group.key,
          label: group.key,
          share: group.share,
          text: group.numbers ?? noAdherenceText(group),
        }))}
      />
    </ChartFigure>
  );
}

interface DoseHeatProps {
  rows: readonly HeatRow[];
  taken: number;
}

/** Doses taken on each day. */
export function DoseHeat({ rows, taken }: DoseHeatProps) {
  const days = rows
    .flatMap((row) => row.days)
    .filter((day) => day !== null)
    .sort((a, b) => (a.day < b.day ? -1 : 1));
  const used = days.filter(({ count }) => count > 0);
  return (
    <ChartFigure
      id="dose-days"
      title="Doses per day"
      sentence={`${plural(taken, 'dose')} taken on ${used.length} of ${plural(days.length, 'day')}. Stronger colour means more doses.`}
      basis="Computed from taken doses, by the day they belong to. Each column is a week."
      table={{
        rows: used,
        rowKey: ({ day }) => day,
        columns: [
          { key: 'day', label: 'Day', cell: ({ day }) => shownDay(day) },
          { key: 'count', label: 'Taken', numeric: true, cell: ({ count }) => count },
        ],
      }}
    >
      <HeatMap rows={rows} />
    </ChartFigure>
  );
}

/** The first and last day of a chart as text; only one if they are the same. */
function endsOf(days: readonly string[]): string[] {
  const ends = [days[0], days.at(-1)].filter((day) => day !== undefined);
  return [...new Set(ends)].map(shownDay);
}

/** Side effects and doses of one week. */
interface EffectWeek {
  week: string;
  doses: number;
  effects: number;
  /** "2.5", the mean from 1 to 5; "–" without side effects. */
  severity: string;
}

function comparisonText({ withDose, withoutDose, rates }: Comparison): string {
  const samples = `${plural(withDose.days, 'day')} with a dose, ${withoutDose.days} without`;
  if (rates === null) return `Too few days to compare (${samples}; ${LEAST_SAMPLE} of each are needed).`;
  const rate = (value: number) => value.toFixed(2);
  return `${rate(rates.withDose)} side effects a day on days with a dose, ${rate(rates.withoutDose)} on days without (${samples}). This does not show what caused them.`;
}

/** Side effects against doses. */
export function EffectsAgainstDoses({
  weeks,
  comparison,
}: {
  weeks: readonly EffectWeek[];
  comparison: Comparison;
}) {
  const effects = weeks.reduce((sum, week) => sum + week.effects, 0);
  return (
    <ChartFigure
      id="effects"
      title="Side effects against doses"
      sentence={`${plural(effects, 'side effect')} began in this period. ${comparisonText(comparison)}`}
      basis="Computed from side effects by the day they began, and from taken doses. The bars are side effects by week."
      table={{
        rows: weeks,
        rowKey: ({ week }) => week,
        columns: [
          { key: 'week', label: 'Week of', cell: ({ week }) => shownDay(week) },
          { key: 'doses', label: 'Doses', numeric: true, cell: ({ doses }) => doses },
          { key: 'effects', label: 'Side effects', numeric: true, cell: (row) => row.effects },
          { key: 'severity', label: 'Mean severity', numeric: true, cell: ({ severity }) => severity },
        ],
      }}
    >
      <BarPlot
        bars={weeks.map((week) => ({ key: week.week, parts: [{ value: week.effects, tone: 'pen' }] }))}
        word={(value) => String(Math.round(value))}
        labels={endsOf(weeks.map(({ week }) => week))}
        least={4}
      />
    </ChartFigure>
  );
}

/** A site as text. */
interface SiteRow {
  site: string;
  name: string;
  count: number;
  lastDay: string;
}

/** How often each site was used. */
export function SiteRotation({ sites }: { sites: readonly SiteRow[] }) {
  const total = sites.reduce((sum, { count }) => sum + count, 0);
  const most = sites[0]?.count ?? 1;
  return (
    <ChartFigure
      id="sites"
      title="Site rotation"
      sentence={`${plural(total, 'injection')} at ${plural(sites.length, 'site')}; most often ${sites[0]?.name ?? ''}.`}
      basis="Computed from the log of injection sites. The longest bar is the site used most."
      table={{
        rows: sites,
        rowKey: ({ site }) => site,
        columns: [
          { key: 'name', label: 'Site', cell: ({ name }) => name },
          { key: 'count', label: 'Times', numeric: true, cell: ({ count }) => count },
          { key: 'last', label: 'Last', cell: ({ lastDay }) => lastDay },
        ],
      }}
    >
      <ShareBars
        shares={sites.map(({ site, name, count, lastDay }) => ({
          key: site,
          label: name,
          share: count / most,
          text: `${plural(count, 'time')}, last on ${lastDay}`,
        }))}
      />
    </ChartFigure>
  );
}

/** Spend in one currency as text, with the bars' heights as numbers. */
interface SpendView {
  currency: string;
  total: string;
  vials: number;
  months: { month: string; value: number; text: string }[];
  names: string;
}

export function Spend({ spend: { currency, total, vials, months, names } }: { spend: SpendView }) {
  return (
    <ChartFigure
      id={`spend-${currency.replace(/\W/g, '-')}`}
      title={`Spend, ${currency}`}
      sentence={`${total} for ${plural(vials, 'vial')}: ${names}.`}
      basis="Computed from the cost recorded for each vial, by the month it was added."
      table={{
        rows: months,
        rowKey: ({ month }) => month,
        columns: [
          { key: 'month', label: 'Month', cell: ({ month }) => monthLabel(`${month}-01`) },
          { key: 'total', label: 'Spend', numeric: true, cell: ({ text }) => text },
        ],
      }}
    >
      <BarPlot
        bars={months.map(({ month, value }) => ({ key: month, parts: [{ value, tone: 'pen' }] }))}
        word={(value) => String(Math.round(value))}
        labels={endsOf(months.map(({ month }) => `${month}-01`))}
      />
    </ChartFigure>
  );
}

/** How long the stock of a compound lasts, as text. */
interface StockRow {
  name: string;
  stock: string;
  /** Share of the forecast's days, 0 to 1; null if unknown. */
  share: number | null;
  lasts: string;
  /** Sentences that follow. */
  notes: string;
  reorderBy: string;
}

/** The stock forecast. */
export function StockChart({ stock }: { stock: readonly StockRow[] }) {
  return (
    <ChartFigure
      id="stock"
      title="How long stock lasts"
      sentence={stock
        .map(({ name, lasts }) => `${name} ${lasts}`)
        .join('; ')
        .concat('.')}
      basis="Computed from the planned doses of active schedules and your open and sealed vials, including their use-by dates."
      table={{
        rows: stock,
        rowKey: ({ name }) => name,
        columns: [
          { key: 'name', label: 'Compound', cell: ({ name }) => name },
          { key: 'stock', label: 'In stock', numeric: true, cell: (row) => row.stock },
          { key: 'lasts', label: 'Lasts', cell: ({ lasts, notes }) => `${sentenceCase(lasts)}.${notes}` },
          { key: 'reorder', label: 'Reorder by', cell: ({ reorderBy }) => reorderBy },
        ],
      }}
    >
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
        {stock.map(({ name, stock: left, lasts, notes }) => (
          <li key={name}>
            <strong>{name}</strong> <span className="figure whitespace-normal">{left}</span>
            {`, ${lasts}.${notes}`}
          </li>
        ))}
      </ul>
    </ChartFigure>
  );
}

/** A measure over a period, as numbers for the chart and as text. */
interface MeasuredView {
  key: string;
  name: string;
  /** Empty for a measure without a unit, such as mood. */
  unit: string;
  sentence: string;
  from: number;
  to: number;
  labels: string[];
  days: { day: string; at: number; value: number; average: number }[];
}

/** A measure over time: a dot for each day, and a line for the moving average. */
export function MeasuredChart({ measured }: { measured: MeasuredView }) {
  const { key, name, unit, sentence, from, to, labels, days } = measured;
  const inUnit = unit === '' ? '' : `, ${unit}`;
  return (
    <ChartFigure
      id={`measured-${key}`}
      title={`${name}${inUnit}`}
      sentence={sentence}
      basis="Computed from your measurements: dots are daily averages, the line is the average of the last 7 days. Days without a value are skipped. The scale does not start at 0."
      table={{
        rows: days,
        rowKey: ({ day }) => day,
        columns: [
          { key: 'day', label: 'Day', cell: ({ day }) => shownDay(day) },
          { key: 'value', label: `Daily average${inUnit}`, numeric: true, cell: ({ value }) => value },
          { key: 'average', label: `Last 7 days${inUnit}`, numeric: true, cell: ({ average }) => average },
        ],
      }}
    >
      <LinePlot
        series={[
          { kind: 'dots', tone: 'soft', points: days.map((day) => [day.at, day.value] as const) },
          { kind: 'line', tone: 'pen', points: days.map((day) => [day.at, day.average] as const) },
        ]}
        from={from}
        to={to}
        word={(value) => String(Number(value.toFixed(1)))}
        labels={labels}
        isClose
      />
    </ChartFigure>
  );
}
