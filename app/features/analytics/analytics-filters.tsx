import { FilterForm } from '#app/ui/list-controls.tsx';
import { Button } from '#app/ui/button.tsx';
import { Select, type Option } from '#app/ui/fields.tsx';

interface FiltersProps {
  days: number;
  name: string;
  periods: readonly number[];
  names: readonly string[];
  /** The chosen measure; empty for all. */
  measure: string;
  measures: readonly Option[];
}

export function AnalyticsFilters({ days, name, periods, names, measure, measures }: FiltersProps) {
  return (
    <FilterForm
      action="/dashboard/analytics"
      className="no-print grid grid-cols-[minmax(0,1fr)] items-end gap-4 sm:grid-cols-[repeat(auto-fit,minmax(10rem,14rem))] sm:justify-start"
    >
      <Select
        name="period"
        label="Period"
        defaultValue={String(days)}
        options={periods.map((period) => ({ value: String(period), label: `${period} days` }))}
      />
      <Select
        name="compound"
        label="Compound"
        defaultValue={name}
        options={[
          { value: '', label: 'All compounds' },
          ...names.map((known) => ({ value: known, label: known })),
        ]}
      />
      {measures.length > 0 ? (
        <Select
          name="measure"
          label="Measure"
          defaultValue={measure}
          options={[{ value: '', label: 'All measures' }, ...measures]}
        />
      ) : null}
      <Button>Show</Button>
    </FilterForm>
  );
}
