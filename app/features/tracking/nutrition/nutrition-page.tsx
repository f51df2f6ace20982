import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { nutritionSchema, NUTRIENTS, type Nutrient } from '#app/domain/tracking/nutrition-schema.ts';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Field, TextArea, NumberField } from '#app/ui/fields.tsx';
import { Submit } from '#app/ui/button.tsx';
import { DataTable, type Column } from '#app/ui/data-table.tsx';
import { shownDay } from '#app/domain/time/calendar.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Figures } from '#app/ui/figure.tsx';
import { Pagination } from '#app/ui/list-controls.tsx';

const ACTION = '/dashboard/tracking/nutrition';

/** The form's controls as texts. */
type NutritionFormValues = Readonly<Record<keyof typeof nutritionSchema.shape, string>>;

interface NutritionFormProps {
  values: NutritionFormValues;
  /** The day already has an entry. */
  isThere: boolean;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Logs the nutrition of a day. */
export function NutritionForm({ values, isThere, lastResult }: NutritionFormProps) {
  const [form, fields] = useSchemaForm('nutrition', nutritionSchema, { lastResult, defaultValue: values });
  return (
    <SchemaForm form={form} action={ACTION}>
      <div className="number-grid">
        <Field {...fieldProps(fields.date)} label="Date" type="date" />
        {NUTRIENTS.map(({ key, label, unit }) => (
          <NumberField key={key} {...fieldProps(fields[key])} label={label} unit={unit} />
        ))}
      </div>
      <TextArea {...fieldProps(fields.notes)} label="Notes" />
      <div className="flex flex-wrap items-center gap-3">
        <Submit label={isThere ? 'Save this day' : 'Add this day'} action={ACTION} />
        <span className="text-sm text-soft">One entry per day. Saving again updates it.</span>
      </div>
    </SchemaForm>
  );
}

/** A day as texts; "–" where nothing was logged. */
interface NutritionDay extends Record<Nutrient, string> {
  id: string;
  date: string;
  notes: string | null;
}

const COLUMNS: readonly Column<NutritionDay>[] = [
  {
    key: 'date',
    label: 'Day',
    cell: ({ date }) => (
      <Link
        to={`/dashboard/tracking/nutrition?date=${date}`}
        className="figure -my-2.5 inline-flex min-h-11 items-center"
      >
        {shownDay(date)}
      </Link>
    ),
  },
  ...NUTRIENTS.map(({ key, label, unit }) => ({
    key,
    label: `${label}, ${unit}`,
    numeric: true,
    cell: (day: NutritionDay) => day[key],
  })),
  { key: 'notes', label: 'Notes', cell: ({ notes }) => notes ?? '' },
  {
    key: 'delete',
    label: 'Delete',
    cell: ({ id, date }) => (
      <Link
        to={`/dashboard/tracking/nutrition/${id}/delete`}
        className="no-print -my-2.5 inline-flex min-h-11 items-center text-danger"
        aria-label={`Delete ${shownDay(date)}`}
      >
        Delete
      </Link>
    ),
  },
];

interface NutritionListProps {
  days: readonly NutritionDay[];
  /** Average of the last 7 days; "–" where there is none. */
  means: Record<Nutrient, string>;
  total: number;
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** The logged days, and the average of the last week. */
export function NutritionList({ days, means, total, ...pages }: NutritionListProps) {
  if (total === 0) {
    return (
      <section aria-labelledby="days-title" className="mt-8">
        <h2 id="days-title">Days</h2>
        <EmptyState title="No days logged" drawing="chart">
          Log a few days to see your weekly averages here, and whether your appetite changes with a dose.
        </EmptyState>
      </section>
    );
  }
  return (
    <>
      <h2 className="mt-8">Average of the last 7 days</h2>
      <Figures
        className="statistics-five mt-3"
        figures={NUTRIENTS.map(({ key, label, unit }) => ({
          label,
          value: means[key],
          unit: means[key] === '–' ? undefined : unit,
        }))}
      />
      <h2 className="mt-8">{`Days (${total})`}</h2>
      <DataTable caption="Nutrition by day" columns={COLUMNS} rows={days} rowKey={({ id }) => id} />
      <Pagination label="Nutrition" {...pages} />
    </>
  );
}
