import { useState, type FormEvent } from 'react';
import type { ExportFormat, ExportType } from '#app/domain/export/export-schema.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Checkbox, RadioGroup } from '#app/ui/choice.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field } from '#app/ui/field.tsx';
import { FieldError } from '#app/ui/field-shell.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import { FORMAT_CHOICES } from './export-types.ts';
import { TypeChoices } from './type-choices.tsx';
import { useExport } from './use-export.ts';

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
  /** The defaults, or what was sent. */
  values: ExportValues;
  errors?: FieldErrors;
  /** About the whole form, as "No data found for the selected criteria and date range." */
  formErrors?: readonly string[];
}

/** The export form, as a page or inside the dialog. */
export function ExportForm({
  action,
  cancelHref,
  premium,
  values,
  errors = {},
  formErrors = [],
}: ExportFormProps) {
  const { exporting, error, onSubmit } = useExport(cancelHref);
  const [chosen, setChosen] = useState(values.types.length > 0);
  const recount = (event: FormEvent<HTMLFormElement>) =>
    setChosen(new FormData(event.currentTarget).has('types'));
  // Without scripts nothing would lift it again: the server answers an empty choice in words.
  const blocked = useHydrated() && !chosen;
  const first = (field: string) => errors[field]?.[0];
  return (
    <form
      method="post"
      action={action}
      onSubmit={onSubmit}
      onChange={recount}
      noValidate
      className="grid gap-5"
    >
      <ErrorSummary errors={error ? [...formErrors, error] : formErrors} />
      <div>
        <RadioGroup legend="Format" name="format" options={FORMAT_CHOICES} defaultValue={values.format} />
        {first('format') ? <FieldError id="format" error={first('format') ?? ''} /> : null}
      </div>
      <TypeChoices chosen={values.types} premium={premium} error={first('types')} />
      <div className="grid gap-4 sm:grid-cols-2">
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
        hint="Export date, your e-mail address, the version and the number of records."
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
