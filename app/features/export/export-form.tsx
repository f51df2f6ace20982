import { useNavigate } from '@remix-run/react';
import { useState, type FormEvent } from 'react';
import type { ExportFormat } from '#app/domain/export/export-schema.ts';
import { EXPORT_TYPES, TYPE_NAMES, type ExportType } from '#app/domain/records/type-names.ts';
import { FieldError, errorId, Checkbox, RadioGroup, Field } from '#app/ui/fields.tsx';
import { EXPORT_FAILED } from '#app/domain/export/export-file.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { useHydrated } from '#app/ui/hydration.ts';

const FORMAT_CHOICES: readonly { value: ExportFormat; label: string }[] = [
  { value: 'csv', label: 'CSV' },
  { value: 'json', label: 'JSON' },
  { value: 'pdf', label: 'PDF' },
];

interface TypeChoicesProps {
  chosen: readonly ExportType[];
  premium: boolean;
  error?: string;
}

/** Types that belong to Premium are marked and disabled for free accounts. */
function TypeChoices({ chosen, premium, error }: TypeChoicesProps) {
  return (
    <fieldset id="types" tabIndex={-1} aria-describedby={error ? errorId('types') : undefined}>
      <legend className="mb-1 font-semibold">Data types</legend>
      <div className="grid sm:grid-cols-2">
        {EXPORT_TYPES.map((type) => {
          const { title, premium: ofPremium } = TYPE_NAMES[type];
          const locked = ofPremium.export && !premium;
          return (
            <label key={type} className="choice">
              <input
                type="checkbox"
                name="types"
                value={type}
                defaultChecked={!locked && chosen.includes(type)}
                disabled={locked}
              />
              {locked ? `${title} (Pro)` : title}
            </label>
          );
        })}
      </div>
      {error ? <FieldError id="types" error={error} /> : null}
    </fieldset>
  );
}

function fileName(response: Response): string | null {
  const header = response.headers.get('Content-Disposition') ?? '';
  return header.startsWith('attachment') ? (/filename="([^"]+)"/.exec(header)?.[1] ?? null) : null;
}

function saveAs(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // By the next task the browser has read the URL.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}

/** True when the page before this one in the history is one of ours, by the router's own count. */
function cameFromHere(): boolean {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'idx' in state && Number(state.idx) > 0;
}

/**
 * With scripts the form stays while the file is made ('Exporting...') and then goes back to the previous page, unless that
 * was on another site. If the server answers with a page instead of a file (nothing found, a wrong date), the form is
 * submitted the ordinary way to show it. The print report opens in a new window.
 */
function useExport() {
  const [exporting, setExporting] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const navigate = useNavigate();

  const fetchFile = async (form: HTMLFormElement) => {
    setExporting(true);
    setError(null);
    try {
      const response = await fetch(form.action, { method: 'POST', body: new FormData(form) });
      const name = fileName(response);
      if (!response.ok || !name) {
        form.submit();
        return;
      }
      saveAs(await response.blob(), name);
      showToast({ message: `${name} was saved.`, type: 'success' });
      if (cameFromHere()) navigate(-1);
    } catch {
      setError(EXPORT_FAILED);
    } finally {
      setExporting(false);
    }
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const form = event.currentTarget;
    form.target = new FormData(form).get('format') === 'pdf' ? '_blank' : '';
    if (form.target) return;
    event.preventDefault();
    void fetchFile(form);
  };

  return { exporting, error, onSubmit };
}

export interface ExportValues {
  format: ExportFormat;
  types: readonly ExportType[];
  /** YYYY-MM-DD, or empty for an open side. */
  startDate: string;
  endDate: string;
  includeMetadata: boolean;
}

interface ExportFormProps {
  action: string;
  cancelHref: string;
  premium: boolean;
  /** The defaults, or the submitted values. */
  values: ExportValues;
  errors?: Readonly<Record<string, readonly string[] | null>>;
  /** Errors of the whole form, such as "No data found for the selected criteria and date range." */
  formErrors?: readonly string[];
  /** The same selection as CSV, when it is too much for a PDF. */
  csvHref?: string;
}

/** The export form, as a page or inside the dialog. */
export function ExportForm({
  action,
  cancelHref,
  premium,
  values,
  errors = {},
  formErrors = [],
  csvHref,
}: ExportFormProps) {
  const { exporting, error, onSubmit } = useExport();
  const [chosen, setChosen] = useState(values.types.length > 0);
  const recount = (event: FormEvent<HTMLFormElement>) =>
    setChosen(new FormData(event.currentTarget).has('types'));
  // Without scripts the button could not be enabled again; the server then rejects an empty choice.
  const blocked = useHydrated() && !chosen;
  // An entry of a list is named after it: `types[0]`.
  const first = (field: string) =>
    Object.entries(errors).find(([name]) => name.replace(/\[.*/, '') === field)?.[1]?.[0];
  return (
    <form
      method="post"
      action={action}
      onSubmit={onSubmit}
      onChange={recount}
      noValidate
      className="grid gap-5"
    >
      <ErrorSummary errors={error ? [...formErrors, error] : formErrors} fields={fieldsToFix(errors)} />
      <div id="format" tabIndex={-1}>
        <RadioGroup legend="Format" name="format" options={FORMAT_CHOICES} defaultValue={values.format} />
        {first('format') ? <FieldError id="format" error={first('format') ?? ''} /> : null}
        {csvHref ? (
          <p className="mt-1">
            <a href={csvHref}>Download these records as CSV</a>
          </p>
        ) : null}
      </div>
      <TypeChoices chosen={values.types} premium={premium} error={first('types')} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field
          name="startDate"
          type="date"
          label="Start date"
          defaultValue={values.startDate}
          error={first('startDate')}
        />
        <Field
          name="endDate"
          type="date"
          label="End date"
          defaultValue={values.endDate}
          error={first('endDate')}
        />
      </div>
      <Checkbox
        name="includeMetadata"
        label="Include metadata"
        hint="Export date, your email address, the version and the number of records."
        defaultChecked={values.includeMetadata}
      />
      <div className="flex flex-wrap gap-3">
        <Button
          variant="primary"
          disabled={exporting || blocked}
          aria-describedby={blocked ? 'types-needed' : undefined}
        >
          {exporting ? 'Exporting...' : 'Export'}
        </Button>
        <LinkButton to={cancelHref}>Cancel</LinkButton>
      </div>
      {blocked ? (
        <p id="types-needed" className="text-sm text-soft">
          Select at least one data type.
        </p>
      ) : null}
    </form>
  );
}
