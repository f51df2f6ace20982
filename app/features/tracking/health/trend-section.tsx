import { Link } from '@remix-run/react';
import type { ComponentProps } from 'react';
import { TrendChart } from '#app/ui/charts/trend-chart.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

/** A link that chooses what is shown. */
export interface TrendChoice {
  label: string;
  href: string;
  isChosen: boolean;
}

export interface TrendRow {
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
  drawing: ComponentProps<typeof TrendChart>['drawing'] | null;
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

const COLUMNS = [
  { key: 'when', label: 'Measured', cell: ({ when }: TrendRow) => <span className="figure">{when}</span> },
  { key: 'value', label: 'Value', numeric: true, cell: ({ value }: TrendRow) => value },
];

/** One measure over a period. */
export function TrendSection({ title, metrics, periods, sentence, drawing, rows }: TrendSectionProps) {
  return (
    <section aria-labelledby="trend-title" id="trend" className="mt-8 scroll-mt-4">
      <h2 id="trend-title" className="text-2xl">
        Trends
      </h2>
      <Choices label="Measure" choices={metrics} />
      <Choices label="Period" choices={periods} />
      {sentence !== null && drawing !== null ? (
        <>
          <p className="mt-4">{sentence}</p>
          <div className="sheet mt-3 p-3">
            <TrendChart drawing={drawing} />
          </div>
          <Disclosure summary="As a table">
            <DataTable fixed caption={title} columns={COLUMNS} rows={rows} rowKey={({ id }) => id} />
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
