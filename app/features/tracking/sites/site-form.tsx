import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { logSiteSchema } from '#app/domain/tracking/injection-site-schema.ts';
import type { SiteId } from '#app/domain/tracking/sites.ts';
import { keptField } from '#app/ui/forms/conform-field.ts';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import type { MappedSite } from './body-map.tsx';
import { SitePicker } from './site-picker.tsx';
import { Submit } from '#app/ui/submit.tsx';
import { SiteFields } from './site-fields.tsx';

/** The form's controls as texts. */
export interface SiteFormValues {
  site: string;
  takenAt: string;
  name: string;
  compoundId: string;
  dose: string;
  doseUnit: string;
  volume: string;
  pain: string;
  notes: string;
}

export interface SiteFormProps {
  action: string;
  label: string;
  sites: readonly MappedSite[];
  next: SiteId | null;
  values: SiteFormValues;
  /** Names this filling-in, so that a double press logs once. */
  saveKey?: string;
  vials?: readonly { value: string; label: string }[];
  lastResult?: SubmissionResult<string[]> | null;
}

/** Logging an injection, or changing what was logged. */
export function SiteForm({ action, label, sites, next, values, saveKey, vials, lastResult }: SiteFormProps) {
  const [form, fields] = useSchemaForm('site-log', logSiteSchema, { lastResult, defaultValue: values });
  const site = keptField(fields.site);
  return (
    <Form method="post" action={action} id={form.id} onSubmit={form.onSubmit} noValidate>
      {saveKey ? <input type="hidden" name="saveKey" value={saveKey} /> : null}
      <ErrorSummary id={form.errorId} errors={form.errors} />
      <div className="site-form">
        <SitePicker sites={sites} next={next} chosen={site.defaultValue} error={site.error} />
        <div className="mt-6 grid content-start gap-4 lg:mt-0">
          <SiteFields fields={fields} vials={vials} />
          <div>
            <Submit label={label} action={action} />
          </div>
        </div>
      </div>
    </Form>
  );
}
