import { DOSE_UNIT_CHOICES } from '#app/domain/calculator/calculation.ts';
import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { ceilingSchema, ceilingText } from '#app/domain/doses/ceiling-schema.ts';
import type { Ceiling } from '#app/domain/doses/dose-warnings.ts';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Field, Select, NumberField } from '#app/ui/fields.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { Submit } from '#app/ui/button.tsx';

/** The action of every ceiling form. */
const CEILINGS_PATH = '/dashboard/ceilings';

/** A ceiling with the name of its compound. */
export interface ShownCeiling extends Ceiling {
  name: string;
}

interface CeilingFormProps {
  /** The compound; empty to ask for it. */
  name: string;
  ceiling: Ceiling | null;
  /** The page to come back to. */
  from: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** Sets the ceilings of a compound. Never suggests a value: the figures are the owner's. */
export function CeilingForm({ name, ceiling, from, lastResult }: CeilingFormProps) {
  const [form, fields] = useSchemaForm('ceiling', ceilingSchema, {
    lastResult,
    defaultValue: {
      name,
      unit: ceiling?.unit ?? 'mg',
      perDose: ceiling?.perDose ?? '',
      perDay: ceiling?.perDay ?? '',
      per7Days: ceiling?.per7Days ?? '',
    },
  });
  return (
    <SchemaForm form={form} action={CEILINGS_PATH} className="grid gap-4">
      <input type="hidden" name="from" value={from} />
      {name === '' ? (
        <Field {...fieldProps(fields.name)} label="Compound" maxLength={100} autoComplete="off" />
      ) : (
        <input type="hidden" name="name" value={name} />
      )}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <NumberField {...fieldProps(fields.perDose)} label="Maximum per dose" />
        <NumberField {...fieldProps(fields.perDay)} label="Maximum per day" />
        <NumberField {...fieldProps(fields.per7Days)} label="Maximum in 7 days" />
        <Select {...fieldProps(fields.unit)} label="Unit of the limits" options={DOSE_UNIT_CHOICES} />
      </div>
      <div>
        <Submit label="Save limits" action={CEILINGS_PATH} />
      </div>
    </SchemaForm>
  );
}

/** The ceilings of one compound on the pages of its vials and schedules. */
export function CeilingPanel({ name, ceiling, from }: Omit<CeilingFormProps, 'lastResult'>) {
  return (
    <section aria-labelledby="ceiling-title" className="no-print">
      <h2 id="ceiling-title">Your limits</h2>
      <p className="text-soft">
        {ceiling === null ? (
          'No limits set. We’ll ask before you go over one.'
        ) : (
          <Measured text={`${name}: ${ceilingText(ceiling)}.`} />
        )}
      </p>
      <Disclosure summary={ceiling === null ? 'Set limits' : 'Change limits'}>
        <CeilingForm key={JSON.stringify(ceiling)} name={name} ceiling={ceiling} from={from} />
      </Disclosure>
    </section>
  );
}

/** All ceilings, with links to change them. */
export function CeilingList({ ceilings }: { ceilings: readonly ShownCeiling[] }) {
  if (ceilings.length === 0)
    return (
      <EmptyState level={2} title="No limits yet">
        Set the maximum you want to take of a compound. You’ll be asked before you log more.
      </EmptyState>
    );
  return (
    <ul className="sheet">
      {ceilings.map((ceiling) => (
        <li key={ceiling.name} className="flex flex-wrap items-center gap-x-4 px-4 py-2">
          <span className="min-w-0 flex-1 break-words">
            <span className="font-semibold">{ceiling.name}</span> <Measured text={ceilingText(ceiling)} />
          </span>
          <Link
            to={`${CEILINGS_PATH}?name=${encodeURIComponent(ceiling.name)}`}
            className="inline-flex min-h-11 items-center"
            aria-label={`Change the limits of ${ceiling.name}`}
          >
            Change
          </Link>
        </li>
      ))}
    </ul>
  );
}
