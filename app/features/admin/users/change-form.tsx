import { Form } from '@remix-run/react';
import { userChange, type UserChange } from '#app/domain/admin/user-changes.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary } from '#app/ui/error-summary.tsx';
import { Field, Select, TextArea } from '#app/ui/field.tsx';
import { StatusBadges, type UserTableRow } from './user-table.tsx';
import { ROLE_LABELS, SUBSCRIPTION_LABELS } from './user-texts.ts';

/** A form that was refused: what is wrong, and what was typed. */
export interface RefusedChange {
  errors: Record<string, string[]>;
  formErrors: string[];
  values: Record<string, string>;
}

interface ChangeFormProps {
  change: UserChange;
  user: UserTableRow;
  /** Of the account as this page shows it. */
  revision: number;
  refused?: RefusedChange | undefined;
}

const ROLES = Object.entries(ROLE_LABELS).map(([value, label]) => ({ value, label }));

/** Confirms a change of somebody's account: names the account, says what follows and asks for the reason. */
export function ChangeForm({ change, user, revision, refused }: ChangeFormProps) {
  const { label, question, consequences, isDangerous } = userChange(change);
  const { errors = {}, formErrors = [], values = {} } = refused ?? {};
  const path = `/admin/dashboard/users/${user.id}`;
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 ps-6">
      <h1 className="break-words">{question(user.email)}</h1>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        {ROLE_LABELS[user.role]}, {SUBSCRIPTION_LABELS[user.subscription]} <StatusBadges {...user} />
      </p>
      <p className="mt-2 max-w-prose">{consequences}</p>
      <Form method="post" action={`${path}/${change}`} className="mt-4 grid gap-4" noValidate>
        <ErrorSummary errors={formErrors} />
        <input type="hidden" name="revision" value={revision} />
        {change === 'role' ? (
          <Select
            name="role"
            label="New role"
            options={ROLES.filter(({ value }) => value !== user.role)}
            defaultValue={values['role'] ?? undefined}
            error={errors['role']?.[0]}
          />
        ) : null}
        {change === 'delete' ? (
          <Field
            name="confirmEmail"
            label={`Type ${user.email}`}
            type="email"
            autoComplete="off"
            defaultValue={values['confirmEmail']}
            error={errors['confirmEmail']?.[0]}
          />
        ) : null}
        <TextArea
          name="reason"
          label="Reason"
          hint="Kept in the audit trail and shown to the account’s owner."
          required
          maxLength={500}
          rows={3}
          defaultValue={values['reason']}
          error={errors['reason']?.[0]}
        />
        <div className="flex flex-wrap gap-3">
          <Button variant={isDangerous ? 'danger' : 'primary'} className="break-all">
            {`${label}: ${user.email}`}
          </Button>
          <LinkButton to={path}>Cancel</LinkButton>
        </div>
      </Form>
    </div>
  );
}
