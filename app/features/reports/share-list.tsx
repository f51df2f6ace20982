import { Form, Link } from '@remix-run/react';
import type { FieldErrors } from '#app/domain/errors.ts';
import { Submit, LinkButton, CopyButton } from '#app/ui/button.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { Field, Select } from '#app/ui/fields.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { ReportFields, type ReportValues } from './report-page.tsx';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

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
  formErrors: readonly string[];
}

/** Creates a link to a report. */
export function ShareForm({ values, compounds, errors, formErrors }: ShareFormProps) {
  return (
    <Form method="post" action={SHARES_PATH} noValidate className="grid gap-4">
      <ErrorSummary id="share-errors" errors={formErrors} fields={fieldsToFix(errors)} />
      <ReportFields values={values} compounds={compounds} errors={errors} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Select
          name="days"
          label="Link expires after"
          options={DAYS}
          defaultValue={values.days}
          error={errors['days']?.[0]}
        />
        <Field
          name="label"
          label="Recipient"
          hint="Only you see this. Optional."
          autoComplete="off"
          defaultValue={values.label}
          error={errors['label']?.[0]}
        />
      </div>
      <div>
        <Submit label="Create link" pendingLabel="Creating..." action={SHARES_PATH} />
      </div>
    </Form>
  );
}

/** A new link, shown once. */
export function ShareSecret({ address, until }: { address: string; until: string }) {
  return (
    <div className="sheet grid max-w-2xl gap-4 p-5">
      <Notice tone="warning" role="status" title="Copy this link now">
        <p>
          It will not be shown again. Anyone with the link can read the report, so send it to one person only.
        </p>
      </Notice>
      <p>
        <code className="figure break-all whitespace-normal">{address}</code>
      </p>
      <p className="text-soft">{`The link works until ${until}, or until you revoke it.`}</p>
      <div className="no-print flex flex-wrap gap-3">
        <CopyButton text={address} label="Copy link" />
        <LinkButton to={SHARES_PATH} variant="primary">
          Done
        </LinkButton>
      </div>
    </div>
  );
}

/** A report link as text. */
interface ShareLine {
  id: string;
  /** The recipient, else the compound. */
  title: string;
  state: 'open' | 'revoked' | 'expired';
  /** "BPC-157, 1 Jan 2026 to 31 Mar 2026, with notes" */
  about: string;
  /** "Created 9 Mar 2026, 08:30. Works until …" */
  times: string;
  viewCount: number;
  /** Latest first: "9 Mar 2026, 08:30, network 192.0.2.0/24". */
  views: string[];
}

const STATES: Record<ShareLine['state'], { word: string; tone: BadgeTone }> = {
  open: { word: 'Active', tone: 'good' },
  revoked: { word: 'Revoked', tone: 'plain' },
  expired: { word: 'Expired', tone: 'plain' },
};

function viewsSummary({ viewCount, views }: ShareLine): string {
  const times = viewCount === 1 ? 'Opened once' : `Opened ${viewCount} times`;
  return viewCount > views.length ? `${times}; the latest ${views.length} are listed` : times;
}

/** The account's report links with their views. */
export function ShareList({ shares }: { shares: readonly ShareLine[] }) {
  if (shares.length === 0)
    return (
      <EmptyState level={2} title="No links yet" drawing="notebook">
        A link lets someone, such as your clinician, read a report without an account. You can see when it was
        opened and revoke it at any time. It does not show your email address.
      </EmptyState>
    );
  return (
    <>
      <p className="max-w-prose text-soft">
        Anyone with a link sees the report as it is when they open it. Your own views are not counted.
      </p>
      <ul>
        {shares.map((share) => {
          const { id, title, state, about, times, viewCount, views } = share;
          return (
            <li key={share.id} className="border-b border-line py-3">
              <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
                <div className="min-w-0 flex-1 basis-60">
                  <p className="flex flex-wrap items-center gap-2 font-semibold">
                    <span className="min-w-0 break-words">{title}</span>
                    <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
                  </p>
                  <p className="break-words text-sm text-soft">{about}</p>
                  <p className="text-sm text-soft">{times}</p>
                </div>
                {state === 'open' ? (
                  <Link
                    to={`${SHARES_PATH}/${id}/revoke`}
                    className="inline-flex min-h-11 items-center"
                    aria-label={`Revoke the link ${title}`}
                  >
                    Revoke
                  </Link>
                ) : null}
              </div>
              {viewCount === 0 ? (
                <p className="mt-1 text-sm">Not opened yet</p>
              ) : (
                <Disclosure summary={viewsSummary(share)}>
                  <ol className="text-sm">
                    {views.map((view, index) => (
                      <li key={`${index}-${view}`}>{view}</li>
                    ))}
                  </ol>
                </Disclosure>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
