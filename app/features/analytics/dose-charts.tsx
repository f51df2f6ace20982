import { ADHERENCE_FORMULA, type AdherenceGroup } from '#app/domain/doses/adherence.ts';
import type { HeatRow } from '#app/domain/analytics/heat-map.ts';
import { BarPlot } from '#app/ui/charts/bar-plot.tsx';
import { ChartFigure } from '#app/ui/charts/chart-figure.tsx';
import { HeatMap } from '#app/ui/charts/heat-map.tsx';
import { ShareBars } from '#app/ui/charts/share-bars.tsx';
import { endsOf } from './labels.ts';
import { plural } from '#app/domain/text/plural.ts';

const COUNTS = [
  { key: 'taken', label: 'Taken', numeric: true, cell: (row: AdherenceGroup) => row.taken },
  { key: 'missed', label: 'Missed', numeric: true, cell: (row: AdherenceGroup) => row.missed },
  { key: 'skipped', label: 'Skipped', numeric: true, cell: (row: AdherenceGroup) => row.skipped },
  { key: 'share', label: 'Adherence', numeric: true, cell: (row: AdherenceGroup) => row.text ?? '–' },
];

const whole = (value: number): string => String(Math.round(value));

/** Taken and missed doses of each week. */
export function AdherenceByWeek({ weeks }: { weeks: readonly AdherenceGroup[] }) {
  const taken = weeks.reduce((sum, week) => sum + week.taken, 0);
  const missed = weeks.reduce((sum, week) => sum + week.missed, 0);
  return (
    <ChartFigure
      id="adherence-weeks"
      title="Doses by week"
      sentence={`${taken} taken (solid) and ${missed} missed (red, on top) in ${plural(weeks.length, 'week')}.`}
      basis="Computed from scheduled and logged doses whose time has come; weeks begin on Monday."
      table={{
        rows: weeks,
        rowKey: ({ key }) => key,
        columns: [{ key: 'week', label: 'Week of', cell: ({ key }) => key }, ...COUNTS],
      }}
    >
      <BarPlot
        bars={weeks.map((week) => ({
          key: week.key,
          parts: [
            { value: week.taken, tone: 'pen' },
            { value: week.missed, tone: 'danger' },
          ],
        }))}
        word={whole}
        labels={endsOf(weeks.map(({ key }) => key))}
      />
    </ChartFigure>
  );
}

/** Adherence of each compound. */
export function AdherenceByCompound({ compounds }: { compounds: readonly AdherenceGroup[] }) {
  return (
    <ChartFigure
      id="adherence-compounds"
      title="Adherence by compound"
      sentence={compounds
        .map(({ key, text }) => `${key}: ${text ?? 'nothing due yet'}`)
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
        shares={compounds.map(({ key, share, numbers }) => ({
          key,
          label: key,
          share,
          text: numbers ?? 'nothing due yet',
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
      sentence={`${plural(taken, 'dose')} taken on ${used.length} of ${plural(days.length, 'day')}. Darker means more.`}
      basis="Computed from taken doses, by the day they belong to. Each column is a week."
      table={{
        rows: used,
        rowKey: ({ day }) => day,
        columns: [
          { key: 'day', label: 'Day', cell: ({ day }) => day },
          { key: 'count', label: 'Taken', numeric: true, cell: ({ count }) => count },
        ],
      }}
    >
      <HeatMap rows={rows} />
    </ChartFigure>
  );
}
