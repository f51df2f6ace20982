import { Form } from '@remix-run/react';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Submit } from '#app/ui/submit.tsx';
import { CopyButton } from '#app/ui/copy-button.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field, Select } from '#app/ui/field.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { ReportFields, type ReportValues } from './report-form.tsx';

export const SHARES_PATH = '/dashboard/analytics/report/shares';

const DAYS = [
  { value: '1', label: '24 hours' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
];

interface ShareFormProps {
  values: ReportValues & { days: string; label: string };
  compounds: readonly string[];
  errors: FieldErrors;
  formErrors: string[];
}

/** Makes a link to a report. */
export function ShareForm({ values, compounds, errors, formErrors }: ShareFormProps) {
  return (
    <Form method="post" action={SHARES_PATH} noValidate className="grid gap-4">
      <ErrorSummary id="share-errors" errors={formErrors} />
      <ReportFields values={values} compounds={compounds} errors={errors} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          name="days"
          label="The link works for"
          options={DAYS}
          defaultValue={values.days}
          error={errors['days']?.[0]}
        />
        <Field
          name="label"
          label="For whom"
          hint="Only you see this. Optional."
          autoComplete="off"
          defaultValue={values.label}
          error={errors['label']?.[0]}
        />
      </div>
      <div>
        <Submit label="Make the link" pendingLabel="Making..." action={SHARES_PATH} />
      </div>
    </Form>
  );
}

/** A link, this once. */
export function ShareSecret({ address, until }: { address: string; until: string }) {
  return (
    <div className="sheet grid max-w-2xl gap-4 p-5">
      <Notice tone="warning" role="status" title="Copy this link now">
        <p>It is not shown again. Whoever has it can read the report, so send it to one person only.</p>
      </Notice>
      <p>
        <code className="figure break-all whitespace-normal">{address}</code>
      </p>
      <p className="text-soft">{`It works until ${until}, or until you revoke it.`}</p>
      <div className="no-print flex flex-wrap gap-3">
        <CopyButton text={address} label="Copy the link" />
        <LinkButton to={SHARES_PATH} variant="primary">
          I have copied it
        </LinkButton>
      </div>
    </div>
  );
}
