import { Figure } from '#app/ui/statistic.tsx';

export interface UsageStatisticsProps {
  total: number;
  uniqueNames: number;
  lastSevenDays: number;
  /** mg/ml with 2 decimals; null without calculations. */
  averageConcentrationText: string | null;
}

export function UsageStatistics({
  total,
  uniqueNames,
  lastSevenDays,
  averageConcentrationText,
}: UsageStatisticsProps) {
  const figures = [
    { label: 'Total calculations', value: String(total) },
    { label: 'Unique compounds', value: String(uniqueNames) },
    { label: 'Last 7 days', value: String(lastSevenDays) },
    {
      label: 'Average concentration',
      value: averageConcentrationText ?? '–',
      unit: averageConcentrationText ? 'mg/ml' : undefined,
    },
  ];
  return (
    <section aria-labelledby="usage-title" className="mt-8">
      <h2 id="usage-title">Usage Statistics</h2>
      <dl className="statistics mt-3">
        {figures.map(({ label, value, unit }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Figure value={value} unit={unit} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
