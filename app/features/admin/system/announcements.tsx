import { zoneName } from '#app/domain/time/zoned-time.ts';
import { Form } from '@remix-run/react';
import type { AnnouncementState } from '#app/domain/system/announcement.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { Checkbox, Field, Select, TextArea } from '#app/ui/fields.tsx';
import { useSite } from '#app/ui/site.ts';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import type { SentForm } from '#app/ui/forms/schema-form.tsx';

const AUDIENCES = [
  { value: 'all', label: 'Everyone' },
  { value: 'free', label: 'Free accounts' },
  { value: 'premium', label: 'Premium accounts' },
];
const TONE: Readonly<Record<AnnouncementState, BadgeTone>> = {
  upcoming: 'pen',
  current: 'good',
  over: 'soft',
};

/** An announcement as the administrator sees it. */
export interface AnnouncementRow {
  id: string;
  title: string;
  text: string;
  state: AnnouncementState;
  /** "Everyone, from 9 Mar 2026, 08:30 until you end it, can be dismissed" */
  about: string;
}

/** The form values of an existing announcement, and its revision. */
export type AnnouncementValues = Readonly<
  Record<'title' | 'text' | 'audience' | 'startsAt' | 'endsAt' | 'isDismissible' | 'revision', string>
>;

const PATH = '/admin/dashboard/system/announcements';

interface AnnouncementFormProps {
  /** Makes submitting a new announcement twice harmless. */
  idempotencyKey?: string;
  /** The announcement being edited; without it, the form is for a new one. */
  values?: AnnouncementValues;
  timeZone: string;
  refused?: SentForm | undefined;
}

/** Creates or edits an announcement. Times are in the administrator's time zone. */
export function AnnouncementForm({ idempotencyKey, values, timeZone, refused }: AnnouncementFormProps) {
  const { isSelling } = useSite();
  const texts: Readonly<Record<string, string>> | undefined = refused?.values ?? values;
  const fieldProps = (name: string) => ({
    name,
    defaultValue: texts?.[name],
    error: refused?.errors[name]?.[0],
  });
  return (
    <Form method="post" className="sheet grid max-w-2xl gap-4 p-5" noValidate>
      <h2 className="text-xl">{values ? 'Edit announcement' : 'New announcement'}</h2>
      <ErrorSummary errors={refused?.formErrors} fields={fieldsToFix(refused?.errors ?? {})} />
      {values ? <input type="hidden" name="revision" value={values.revision} /> : null}
      {idempotencyKey === undefined ? null : (
        <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      )}
      <Field {...fieldProps('title')} label="Title" maxLength={120} />
      <TextArea {...fieldProps('text')} label="Text" rows={4} maxLength={1000} />
      {isSelling ? (
        <Select {...fieldProps('audience')} label="Audience" options={AUDIENCES} />
      ) : (
        <input type="hidden" name="audience" value="all" />
      )}
      <Field
        {...fieldProps('startsAt')}
        label="From"
        type="datetime-local"
        hint={`In ${zoneName(timeZone)}. Leave empty to ${values ? 'keep the start, or to start now' : 'start now'}.`}
      />
      <Field
        {...fieldProps('endsAt')}
        label="Until"
        type="datetime-local"
        hint="Leave empty to show it until you end it."
      />
      <Checkbox
        name="isDismissible"
        label="Readers can dismiss it"
        defaultChecked={texts ? texts['isDismissible'] === 'on' : true}
      />
      <div className="flex flex-wrap gap-3">
        <Button variant="primary">{values ? 'Save announcement' : 'Publish'}</Button>
        {values ? <LinkButton to={PATH}>Cancel</LinkButton> : null}
      </div>
    </Form>
  );
}

/** Announcements with their state and actions; no actions if `isAlone`, on the page that edits one. */
export function AnnouncementRows({
  rows,
  isAlone = false,
}: {
  rows: readonly AnnouncementRow[];
  isAlone?: boolean;
}) {
  if (rows.length === 0)
    return (
      <EmptyState title="No announcements yet" level={2}>
        An announcement appears above every dashboard page for its audience, from its start to its end.
      </EmptyState>
    );
  return (
    <ul className="sheet">
      {rows.map(({ id, title, text, state, about }) => (
        <li key={id} className="admin-line">
          <h2 className="flex flex-wrap items-center gap-3 text-xl wrap-anywhere">
            {title} <Badge tone={TONE[state]}>{state}</Badge>
          </h2>
          <p className="wrap-anywhere whitespace-pre-line">{text}</p>
          <p className="text-sm text-soft">{about}</p>
          {isAlone || state === 'over' ? null : (
            <p className="mt-2 flex flex-wrap gap-3">
              <LinkButton to={`${PATH}/edit?id=${id}`} aria-label={`Edit: ${title}`}>
                Edit
              </LinkButton>
              <LinkButton to={`${PATH}/end?id=${id}`} aria-label={`End: ${title}`}>
                End
              </LinkButton>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
