import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Button } from '#app/ui/button.tsx';
import { Checkbox, Field, Select } from '#app/ui/fields.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { FilterForm } from '#app/ui/list-controls.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';

/** Values of the report's form. */
export interface ReportValues {
  start: string;
  end: string;
  /** Empty for all. */
  compound: string;
  notes: boolean;
}

interface ReportFieldsProps {
  values: ReportValues;
  compounds: readonly string[];
  errors: FieldErrors;
}

export function ReportFields({ values, compounds, errors }: ReportFieldsProps) {
  const { start, end, compound, notes } = values;
  const names = compound === '' || compounds.includes(compound) ? compounds : [...compounds, compound];
  const options = [
    { value: '', label: 'All compounds' },
    ...names.map((name) => ({ value: name, label: name })),
  ];
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        <Field type="date" name="start" label="First day" defaultValue={start} error={errors['start']?.[0]} />
        <Field type="date" name="end" label="Last day" defaultValue={end} error={errors['end']?.[0]} />
        <Select
          name="compound"
          label="Compound"
          options={options}
          defaultValue={compound}
          error={errors['compound']?.[0]}
        />
      </div>
      <Checkbox name="notes" value="on" label="Include my notes" defaultChecked={notes} />
    </>
  );
}

/** Chooses the scope of the report. A GET form, so that each report has a URL. */
export function ReportForm(props: ReportFieldsProps) {
  return (
    <FilterForm noValidate className="no-print sheet grid gap-4 p-5" aria-label="Report options">
      <ErrorSummary errors={[]} fields={fieldsToFix(props.errors)} />
      <ReportFields {...props} />
      <div>
        <Button variant="primary">Show report</Button>
      </div>
    </FilterForm>
  );
}

interface ReportPageProps {
  title: string;
  backHref: string;
  back: string;
  children: ReactNode;
}

/** The frame of a page about reports, with a link back. */
export function ReportPage({ title, backHref, back, children }: ReportPageProps) {
  return (
    <>
      <PageTitle
        actions={
          <Link to={backHref} className="inline-flex min-h-11 items-center">
            {back}
          </Link>
        }
      >
        {title}
      </PageTitle>
      {children}
    </>
  );
}
