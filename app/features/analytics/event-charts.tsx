import { LEAST_SAMPLE, type Comparison } from '#app/domain/analytics/compare-periods.ts';
import { BarPlot } from '#app/ui/charts/bar-plot.tsx';
import { ChartFigure } from '#app/ui/charts/chart-figure.tsx';
import { ShareBars } from '#app/ui/charts/share-bars.tsx';
import { endsOf } from './labels.ts';
import { plural } from '#app/domain/text/plural.ts';

/** Side effects and doses of one week. */
export interface EffectWeek {
  week: string;
  doses: number;
  effects: number;
  /** "2.5", mean of 1 to 5; "–" without any. */
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
          { key: 'week', label: 'Week of', cell: ({ week }) => week },
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

/** A site as texts. */
export interface SiteRow {
  site: string;
  name: string;
  count: number;
  lastDay: string;
}

/** How the sites were rotated. */
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
          text: `${count} ×, last ${lastDay}`,
        }))}
      />
    </ChartFigure>
  );
}
