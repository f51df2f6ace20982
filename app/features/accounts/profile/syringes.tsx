import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import { defaultMark, syringeOf, type OwnSyringe } from '#app/domain/calculator/calculation.ts';
import {
  MAX_OWN_SYRINGES,
  OWN_SYRINGE_MESSAGES,
  ownSyringeSchema,
  ownSyringeText,
} from '#app/domain/calculator/own-syringe.ts';
import { SyringeDrawing } from '#app/features/calculator/index.ts';
import { LinkButton, Submit } from '#app/ui/button.tsx';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { Field, NumberField } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';

const SYRINGES = '/dashboard/profile/syringes';
const UNITS = '/dashboard/profile/units';

/** A person's own syringes, with a link to add one. */
export function SyringeList({ syringes }: { syringes: readonly OwnSyringe[] }) {
  return (
    <section aria-labelledby="syringes-title" className="mt-8">
      <h2 id="syringes-title">Your own syringes</h2>
      <p className="text-soft">
        For a syringe that is not in the list above. You can choose it wherever one is asked for.
      </p>
      {syringes.length === 0 ? null : (
        <ul>
          {syringes.map((own) => (
            <li
              key={own.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-3"
            >
              <div className="min-w-0 flex-1 basis-60">
                <p className="font-semibold wrap-anywhere">{own.name}</p>
                <p className="text-sm text-soft">{ownSyringeText(own)}</p>
              </div>
              <Link
                to={`${SYRINGES}/${own.id}`}
                className="inline-flex min-h-11 items-center"
                aria-label={`Change ${own.name}`}
              >
                Change
              </Link>
              <Link
                to={`${SYRINGES}/${own.id}/remove`}
                className="inline-flex min-h-11 items-center"
                aria-label={`Remove ${own.name}`}
              >
                Remove
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3">
        {syringes.length < MAX_OWN_SYRINGES ? (
          <LinkButton to={`${SYRINGES}/new`}>Add a syringe</LinkButton>
        ) : (
          <p>{OWN_SYRINGE_MESSAGES.tooMany}.</p>
        )}
      </div>
    </section>
  );
}

interface SyringeFormProps {
  /** Null for a new one. */
  own: OwnSyringe | null;
  action: string;
  lastResult?: SubmissionResult<string[]> | null;
}

/** The measures of a syringe, and what it looks like with them once they are saved. */
export function SyringeForm({ own, action, lastResult }: SyringeFormProps) {
  const [form, fields] = useSchemaForm('syringe', ownSyringeSchema, {
    lastResult,
    defaultValue: own === null ? {} : { ...own, unitsPerMl: own.unitsPerMl ?? '' },
  });
  return (
    <>
      {own === null ? null : (
        <SyringeDrawing syringe={syringeOf(own)} mark={defaultMark(syringeOf(own))} units={0} />
      )}
      <SchemaForm form={form} action={action}>
        <Field {...fieldProps(fields.name)} label="Name" autoComplete="off" />
        <NumberField
          {...fieldProps(fields.barrelMl)}
          label="Barrel"
          unit="ml"
          hint="What it holds up to the last mark."
        />
        <NumberField
          {...fieldProps(fields.unitsPerMl)}
          label="Units in 1 ml"
          hint="100 for U-100, 40 for U-40. Leave blank if its numbers are ml."
        />
        <NumberField
          {...fieldProps(fields.mark)}
          label="Between two marks"
          hint="In the numbers of the syringe, such as 1 or 0.5 units, or 0.1 ml."
        />
        <div>
          <Submit label="Save syringe" pendingLabel="Saving..." action={action} />
        </div>
      </SchemaForm>
    </>
  );
}

/** The question before a syringe is removed. */
export function RemoveSyringe({ own, isUsual }: { own: OwnSyringe; isUsual: boolean }) {
  return (
    <Confirmation
      title="Remove this syringe?"
      action={`${SYRINGES}/${own.id}/remove`}
      yes="Remove syringe"
      noHref={UNITS}
    >
      <p className="font-semibold wrap-anywhere">{own.name}</p>
      <p className="text-soft">{ownSyringeText(own)}</p>
      <p className="text-soft">
        Saved calculations and logged doses keep it.
        {isUsual ? ' Your doses will be shown for a U-100 1 ml syringe.' : ''}
      </p>
    </Confirmation>
  );
}
