import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { ErrorSummary, firstError } from '#app/ui/error-summary.tsx';
import { TextArea } from '#app/ui/fields.tsx';
import { sentText } from '#app/ui/forms/schema-form.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { plural } from '#app/domain/text/plural.ts';

const ACTION = '/dashboard/tracking/health/import';
const EXAMPLE = 'date,weight,heart rate\n2026-03-08,81.5,58\n2026-03-09 07:30,81.2,';

interface BadLine {
  line: number;
  reason: string;
}

/** What a pasted table holds. */
export interface PasteCheck {
  /** Values that would be imported. */
  count: number;
  bad: readonly BadLine[];
  /** Blood pressures whose numbers seem swapped. */
  swapped: readonly string[];
  /** A hash of all of them; null when there are none. Sending it with the table confirms them. */
  question: string | null;
}

interface PasteFormProps {
  lastResult: SubmissionResult<string[]> | undefined;
  check: PasteCheck | null;
  names: readonly string[];
}

const COLUMNS = [
  { key: 'line', label: 'Line', numeric: true, cell: ({ line }: BadLine) => String(line) },
  { key: 'reason', label: 'Problem', cell: ({ reason }: BadLine) => reason },
];

/** Imports a pasted table, after checking it. */
export function PasteForm({ lastResult, check, names }: PasteFormProps) {
  const error = firstError(lastResult);
  return (
    <Form method="post" action={ACTION} className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-4">
      {error ? <ErrorSummary errors={[]} fields={[{ id: 'text', message: error }]} /> : null}
      <p>
        Start with a header line, then one line per date. The first column is the date; the others are
        measures in your units. Put a different unit in brackets: <code>weight (lb)</code>.
      </p>
      <pre className="summary-line overflow-x-auto">{EXAMPLE}</pre>
      <p className="text-sm text-soft">{`Measures: ${names.join(', ')}.`}</p>
      <TextArea
        name="text"
        label="Table"
        rows={8}
        defaultValue={sentText(lastResult, 'text')}
        error={error}
        className="figure"
      />
      {check ? (
        <div className="grid gap-3">
          <Notice tone={check.count > 0 ? 'info' : 'warning'} role="status">
            <p>
              {check.count === 0
                ? 'This table contains nothing to import.'
                : `${plural(check.count, 'value')} can be imported. Nothing is saved yet.`}
              {check.bad.length > 0 ? ` ${plural(check.bad.length, 'line')} will be skipped.` : ''}
            </p>
          </Notice>
          {check.question === null ? null : (
            <Notice tone="warning" role="alert" title="Are these blood pressures right?">
              <p>
                The systolic pressure comes before the diastolic one and is the higher of the two. Correct the
                table and check it again, or import it as it is.
              </p>
              <ul className="list-disc ps-5">
                {check.swapped.map((pressure) => (
                  <li key={pressure}>{pressure}</li>
                ))}
              </ul>
              <input type="hidden" name="confirmedPressures" value={check.question} />
            </Notice>
          )}
          {check.bad.length > 0 ? (
            <DataTable
              fixed
              caption="Skipped lines"
              columns={COLUMNS}
              rows={check.bad.slice(0, 100)}
              rowKey={({ line }) => String(line)}
            />
          ) : null}
        </div>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {check && check.count > 0 ? (
          <Button name="step" value="import" variant="primary">
            {`Import ${plural(check.count, 'value')}`}
          </Button>
        ) : null}
        <Button name="step" value="check" variant={check && check.count > 0 ? 'quiet' : 'primary'}>
          Check table
        </Button>
        <LinkButton to="/dashboard/tracking/health">Cancel</LinkButton>
      </div>
    </Form>
  );
}
