import type { SubmissionResult } from '@conform-to/react';
import { Link } from '@remix-run/react';
import {
  createApiTokenSchema,
  type ApiTokenLife,
  type ApiTokenScope,
} from '#app/domain/accounts/api-token.ts';
import { Badge } from '#app/ui/badge.tsx';
import { LinkButton, Submit, CopyButton } from '#app/ui/button.tsx';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Field, Select } from '#app/ui/fields.tsx';
import { fieldProps, SchemaForm } from '#app/ui/forms/schema-form.tsx';
import { useSchemaForm } from '#app/ui/forms/use-schema-form.ts';
import { Notice } from '#app/ui/notice.tsx';

const LIST = '/dashboard/profile/tokens';
const CREATE = `${LIST}/new`;

const SCOPE_LABELS: Record<ApiTokenScope, string> = { read: 'Read', write: 'Read and write' };

const LIFE_LABELS: Record<ApiTokenLife, string> = {
  30: '30 days',
  90: '90 days',
  365: '1 year',
  never: 'No expiration',
};

/** A personal token as texts to show. */
export interface ApiTokenRow {
  id: string;
  name: string;
  scope: ApiTokenScope;
  created: string;
  /** Null when it never expires. */
  expires: string | null;
  /** Null when it was never used. */
  lastUsed: string | null;
  isExpired: boolean;
  /** A program that was connected, not a token that was copied. */
  isConnection: boolean;
}

const NEW_TOKEN = (
  <LinkButton to={CREATE} variant="primary">
    New token
  </LinkButton>
);

/** The account's personal tokens. @param props.isFull the account has reached the maximum */
export function ApiTokenList({ tokens, isFull }: { tokens: readonly ApiTokenRow[]; isFull: boolean }) {
  if (tokens.length === 0)
    return (
      <EmptyState title="No tokens yet" action={NEW_TOKEN} level={2}>
        A token lets a script or another program use the API on your behalf, without your password.
      </EmptyState>
    );
  return (
    <>
      <p className="text-soft">
        Each token lets a program use the API on your behalf. Revoke the ones you no longer need: they stop
        working immediately.
      </p>
      <ul>
        {tokens.map(({ id, name, scope, created, expires, lastUsed, isExpired, isConnection }) => {
          const expiry =
            expires === null ? 'never expires' : `${isExpired ? 'expired' : 'expires'} ${expires}`;
          const used = lastUsed === null ? 'Not used yet' : `Last used ${lastUsed}`;
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-3">
              <div className="min-w-0 flex-1 basis-60">
                <p className="flex flex-wrap items-center gap-2 font-semibold">
                  <span className="min-w-0 break-words">{name}</span>
                  {isExpired ? (
                    <Badge tone="warn">Expired</Badge>
                  ) : (
                    <Badge tone="plain">{SCOPE_LABELS[scope]}</Badge>
                  )}
                </p>
                <p className="text-sm text-soft">{`${used}. ${isConnection ? 'Connected' : 'Created'} ${created}, ${expiry}.`}</p>
              </div>
              <Link
                to={`${LIST}/${id}/revoke`}
                className="inline-flex min-h-11 items-center"
                aria-label={`Revoke the token ${name}`}
              >
                Revoke
              </Link>
            </li>
          );
        })}
      </ul>
      {isFull ? (
        <p>You have reached the maximum number of tokens. Revoke one to create another.</p>
      ) : (
        <div>{NEW_TOKEN}</div>
      )}
    </>
  );
}

/** Creates a token. */
export function ApiTokenForm({ lastResult }: { lastResult?: SubmissionResult<string[]> | null }) {
  const [form, fields] = useSchemaForm('api-token', createApiTokenSchema, {
    lastResult,
    defaultValue: { name: '', scope: 'read', life: '90' },
  });
  const optionsOf = (labels: Record<string, string>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <SchemaForm form={form} action={CREATE}>
      <Field
        {...fieldProps(fields.name)}
        label="Name"
        autoComplete="off"
        hint="What will use it, such as the name of a script."
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Select {...fieldProps(fields.scope)} label="Access" options={optionsOf(SCOPE_LABELS)} />
        <Select {...fieldProps(fields.life)} label="Expiration" options={optionsOf(LIFE_LABELS)} />
      </div>
      <p className="text-soft">
        A token can never change your password, email or other security settings, and never opens the admin
        area.
      </p>
      <div className="flex flex-wrap gap-3">
        <Submit label="Create token" pendingLabel="Creating..." action={CREATE} />
        <LinkButton to={LIST}>Cancel</LinkButton>
      </div>
    </SchemaForm>
  );
}

/** A new token with its secret, which is never shown again. */
export function ApiTokenSecret({ name, secret }: { name: string; secret: string }) {
  return (
    <>
      <Notice tone="warning" role="status" title="Save this token now">
        <p>It will not be shown again. Anyone who has it can use the API on your behalf.</p>
      </Notice>
      <div>
        <p className="break-words text-sm text-soft">{name}</p>
        <p>
          <code className="figure break-all whitespace-normal">{secret}</code>
        </p>
      </div>
      <p>
        {'Programs send it with each call, in the header '}
        <code className="break-all">Authorization: Bearer</code>
        {' followed by the token.'}
      </p>
      <div className="no-print flex flex-wrap gap-3">
        <CopyButton text={secret} label="Copy token" />
        <LinkButton to={LIST} variant="primary">
          I have saved it
        </LinkButton>
      </div>
    </>
  );
}

/** The question before a token is revoked. */
export function RevokeToken({ token }: { token: ApiTokenRow }) {
  const { id, name, scope, created, lastUsed } = token;
  const used = lastUsed === null ? 'not used yet' : `last used ${lastUsed}`;
  return (
    <Confirmation title="Revoke this token?" action={`${LIST}/${id}/revoke`} yes="Revoke token" noHref={LIST}>
      <p className="break-words font-semibold">{name}</p>
      <p className="text-soft">{`${SCOPE_LABELS[scope]}. Created ${created}, ${used}.`}</p>
      <p className="text-soft">Programs that use it lose access immediately.</p>
    </Confirmation>
  );
}
