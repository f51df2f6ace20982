import { Disclosure } from '#app/ui/disclosure.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Figure } from '#app/ui/statistic.tsx';

/** Figures as texts; "–" where there is none. */
export interface StatsTexts {
  count: string;
  meanSeverity: string;
  medianDuration: string;
  medianOnset: string;
}

export interface NamedStatsTexts extends StatsTexts {
  name: string;
}

const COLUMNS = [
  { key: 'name', label: 'Side effect', cell: (row: NamedStatsTexts) => row.name },
  { key: 'count', label: 'Times', numeric: true, cell: (row: NamedStatsTexts) => row.count },
  { key: 'mean', label: 'Mean severity', numeric: true, cell: (row: NamedStatsTexts) => row.meanSeverity },
  {
    key: 'lasted',
    label: 'Median duration',
    numeric: true,
    cell: (row: NamedStatsTexts) => row.medianDuration,
  },
  { key: 'onset', label: 'Median onset', numeric: true, cell: (row: NamedStatsTexts) => row.medianOnset },
];

interface EffectStatsProps {
  stats: StatsTexts;
  byName: readonly NamedStatsTexts[];
  /** Show the table at once, as on paper. */
  open?: boolean;
}

/** What the noted side effects amount to. */
export function EffectStats({ stats, byName, open }: EffectStatsProps) {
  const figures = [
    ['Noted', stats.count],
    ['Mean severity', stats.meanSeverity],
    ['Median duration', stats.medianDuration],
    ['Median onset', stats.medianOnset],
  ] as const;
  return (
    <section aria-labelledby="effect-stats-title" className="mt-8">
      <h2 id="effect-stats-title">Figures</h2>
      <dl className="statistics mt-3">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Figure value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-soft">
        Onset is the time from the last dose taken in the two weeks before. Duration counts what is over.
      </p>
      {byName.length > 0 ? (
        <Disclosure summary="By name" open={open}>
          <DataTable
            caption="Side effects by name"
            columns={COLUMNS}
            rows={byName}
            rowKey={({ name }) => name}
          />
        </Disclosure>
      ) : null}
    </section>
  );
}
