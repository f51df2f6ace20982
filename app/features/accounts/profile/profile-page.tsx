import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { SYRINGE_IDS, SYRINGES } from '#app/domain/calculator/calculation.ts';
import { profileSchema, type Profile } from '#app/domain/accounts/profile.ts';
import { Field, Select, NumberField } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { PageTitle } from '#app/ui/page-head.tsx';
import { TimeZoneField } from '#app/ui/time-zone-field.tsx';
import type { ZoneChoice } from '#app/domain/time/zoned-time.ts';
import { Submit } from '#app/ui/button.tsx';

const PROFILE = '/dashboard/profile';

const DOSE_UNITS = [
  { value: 'mg', label: 'mg' },
  { value: 'mcg', label: 'mcg' },
];
const UNITS = [
  { value: 'metric', label: 'Metric (kg, cm)' },
  { value: 'imperial', label: 'Imperial (lb, in)' },
];

interface DetailsFormProps {
  profile: Profile;
  timeZones: readonly ZoneChoice[];
  lastResult?: SubmissionResult<string[]> | null;
}

const SYRINGE_OPTIONS = SYRINGE_IDS.map((id) => ({ value: id, label: SYRINGES[id].label }));

/** Name, time zone, units and syringe. */
export function DetailsForm({ profile, timeZones, lastResult }: DetailsFormProps) {
  const [form, fields] = useSchemaForm('details', profileSchema, {
    lastResult,
    defaultValue: { ...profile, name: profile.name ?? '' },
  });
  return (
    <SchemaForm form={form} action={PROFILE}>
      <Field
        {...fieldProps(fields.name)}
        label="Name"
        autoComplete="name"
        hint="Optional. Used to greet you in emails."
      />
      <TimeZoneField
        {...fieldProps(fields.timeZone)}
        choices={timeZones}
        hint="Your days start and end in this time zone."
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Select {...fieldProps(fields.doseUnit)} label="Dose unit" options={DOSE_UNITS} />
        <Select {...fieldProps(fields.units)} label="Body measurements" options={UNITS} />
      </div>
      <Select
        {...fieldProps(fields.syringe)}
        label="Syringe"
        hint="Units of your doses are shown for this syringe."
        options={SYRINGE_OPTIONS}
      />
      <NumberField
        {...fieldProps(fields.deadSpaceMl)}
        label="Dead space"
        unit="ml"
        hint="What stays in the syringe and needle after each injection; 0 to ignore it. It affects stock forecasts, not what you draw."
      />
      <div>
        <Submit label="Save profile" pendingLabel="Saving..." action={PROFILE} />
      </div>
    </SchemaForm>
  );
}

interface ProfileLink {
  to: string;
  label: string;
  text: string;
  /** A file, not a page. */
  file?: boolean;
}

const LINKS = {
  security: [
    {
      to: `${PROFILE}/email`,
      label: 'Change email',
      text: 'We will mail a confirmation link to the new address.',
    },
    {
      to: `${PROFILE}/second-factor`,
      label: 'Two-step sign-in',
      text: 'A code from your phone in addition to the password.',
    },
    { to: `${PROFILE}/tokens`, label: 'API tokens', text: 'For scripts and other programs.' },
  ],
  reminders: [
    {
      to: `${PROFILE}/notifications`,
      label: 'Notifications',
      text: 'Where and how early you are reminded, and how discreetly.',
    },
    {
      to: `${PROFILE}/webhooks`,
      label: 'Webhooks',
      text: 'Tell your own programs about doses and stock.',
    },
  ],
  data: [
    {
      to: '/upgrade',
      label: 'Plan and billing',
      text: 'Your plan, when it renews or ends, and your payments.',
    },
    {
      to: `${PROFILE}/access-log`,
      label: 'Access log',
      text: 'Who viewed or changed this account.',
    },
    {
      to: '/dashboard/import',
      label: 'Import',
      text: 'Import an export or a table of doses. You can undo it for 7 days.',
    },
    {
      to: `${PROFILE}/data`,
      label: 'Download all data',
      text: 'One JSON file with everything we store about you.',
      file: true,
    },
    {
      to: `${PROFILE}/delete`,
      label: 'Delete account',
      text: 'Everything is deleted after 48 hours. Until then you can change your mind.',
    },
  ],
} satisfies Record<string, readonly ProfileLink[]>;

/** Links to the pages and files of one section of the profile. */
export function ProfileLinks({ about }: { about: keyof typeof LINKS }) {
  const links: readonly ProfileLink[] = LINKS[about];
  return (
    <ul className="grid gap-1">
      {links.map(({ to, label, text, file }) => (
        <li key={to} className="flex flex-wrap items-center gap-x-4">
          <Link to={to} reloadDocument={file} className="inline-flex min-h-11 items-center font-semibold">
            {label}
          </Link>
          <span className="text-soft">{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** A page below the profile, with a link back. */
export function ProfileSubPage({ title, children }: { title: string; children: ReactNode }) {
  const back = (
    <Link to={PROFILE} className="inline-flex min-h-11 items-center">
      Back to your profile
    </Link>
  );
  return (
    <>
      <PageTitle actions={back}>{title}</PageTitle>
      <div className="sheet grid max-w-2xl gap-4 p-5">{children}</div>
    </>
  );
}
