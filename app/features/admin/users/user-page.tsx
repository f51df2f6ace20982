import { Form, Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { userChange, type UserChange, USER_CHANGES } from '#app/domain/admin/user-changes.ts';
import type { SentForm } from '#app/ui/forms/schema-form.tsx';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { useSite } from '#app/ui/site.ts';
import { Field, Select, TextArea } from '#app/ui/fields.tsx';
import { StatusBadges, type UserTableRow, ROLE_LABELS, SUBSCRIPTION_LABELS } from './user-list.tsx';

/** A session of a user as texts. */
interface UserSessionRow {
  id: string;
  /** "Firefox on Linux" */
  browser: string;
  lastUsed: string;
  started: string;
}

interface UserFactsProps extends UserTableRow {
  name: string | null;
  zone: string;
  source: string | null;
  secondFactor: boolean;
  sessions: readonly UserSessionRow[];
  stripeCustomerId: string | null;
  customerUrl: string | null;
  plan: string | null;
  renews: string | null;
  ends: string | null;
  lastPayment: string | null;
  openIssues: readonly { label: string; href: string }[];
  created: string;
  lastSeen: string;
  trialEnds: string | null;
  creditUntil: string | null;
  granted: string | null;
  suspendedSince: string | null;
  deleteAfter: string | null;
  usage: readonly { kind: string; count: number }[];
}

/** The account's data and usage. */
export function UserFacts(user: UserFactsProps) {
  const { isSelling } = useSite();
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <section aria-labelledby="account" className="sheet p-4">
        <h2 id="account" className="flex flex-wrap items-center gap-2 text-xl">
          Account <StatusBadges {...user} />
        </h2>
        <dl className="admin-facts">
          {factsOf(user)
            .filter(([label, value]) => value !== null && (isSelling || !SOLD_FACTS.includes(label)))
            .map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="break-all">{value}</dd>
              </div>
            ))}
        </dl>
      </section>
      <section aria-labelledby="usage" className="sheet p-4">
        <h2 id="usage" className="text-xl">
          Usage
        </h2>
        <dl className="admin-facts">
          {user.usage.map(({ kind, count }) => (
            <div key={kind}>
              <dt className="capitalize">{kind}</dt>
              <dd className="figure">{count}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

/** Facts that a server without plans does not show. */
const SOLD_FACTS = [
  'Subscription',
  'Premium from',
  'Plan',
  'Renews',
  'Subscription ends',
  'Last payment',
  'Open billing issues',
  'Trial ends',
  'Referral credit until',
  'Premium granted',
  'Payment customer',
];

function factsOf(user: UserFactsProps): [label: string, value: ReactNode][] {
  return [
    ['Email', user.email],
    ['Name', user.name],
    ['Role', ROLE_LABELS[user.role]],
    ['Subscription', SUBSCRIPTION_LABELS[user.subscription]],
    ['Premium from', user.source],
    ['Plan', user.plan],
    ['Renews', user.renews],
    ['Subscription ends', user.ends],
    ['Last payment', user.lastPayment],
    [
      'Open billing issues',
      user.openIssues.length === 0 ? null : (
        <ul>
          {user.openIssues.map(({ label, href }) => (
            <li key={href}>
              <Link to={href} className="inline-flex min-h-6 items-center">
                {label}
              </Link>
            </li>
          ))}
        </ul>
      ),
    ],
    ['Created', user.created],
    ['Last login', user.lastLogin],
    ['Last active', user.lastSeen],
    ['Trial ends', user.trialEnds],
    ['Referral credit until', user.creditUntil],
    ['Premium granted', user.granted],
    ['Suspended since', user.suspendedSince],
    ['Deletion scheduled', user.deleteAfter],
    ['Two-step sign-in', user.secondFactor ? 'On' : 'Off'],
    ['Time zone', user.zone],
    [
      'Payment customer',
      user.customerUrl === null ? (
        user.stripeCustomerId
      ) : (
        <a href={user.customerUrl} rel="noreferrer">{`${user.stripeCustomerId ?? ''} at Stripe`}</a>
      ),
    ],
    ['Id', user.id],
  ];
}

/**
 * The URL of a page about a user or one of their sessions, with the query of the list it was opened from.
 */
function withList(path: string, list: string, session?: string): string {
  const search = new URLSearchParams({
    ...(session === undefined ? {} : { session }),
    ...(list === '' ? {} : { list }),
  });
  return search.size === 0 ? path : `${path}?${search}`;
}

/** "Last used …, signed in …" */
const sessionTimes = ({ lastUsed, started }: UserSessionRow) =>
  `Last used ${lastUsed}, signed in ${started}.`;

interface UserSessionsProps {
  /** The user's id. */
  id: string;
  sessions: readonly UserSessionRow[];
  /** Whether this administrator may end them. */
  canEnd: boolean;
  /** The query of the list to return to. */
  list: string;
}

/** Where the account is signed in. */
export function UserSessions({ id, sessions, canEnd, list }: UserSessionsProps) {
  const to = (session: string) => withList(`/admin/dashboard/users/${id}/end-session`, list, session);
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions" className="text-xl">
        Sessions
      </h2>
      {sessions.length === 0 ? <p className="text-soft">Not signed in anywhere.</p> : null}
      <ul>
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-3"
          >
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-semibold">{session.browser}</p>
              <p className="text-sm text-soft">{sessionTimes(session)}</p>
            </div>
            {canEnd ? (
              <Link
                to={to(session.id)}
                className="inline-flex min-h-11 items-center"
                aria-label={`End the session ${session.browser}, last used ${session.lastUsed}`}
              >
                End
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface UserActionsProps {
  id: string;
  changes: readonly UserChange[];
  /** The query of the list to return to. */
  list: string;
}

/** Links to the changes that can be made to an account; deleting it is set apart. */
export function UserActions({ id, changes, list }: UserActionsProps) {
  const to = (change: UserChange) => withList(`/admin/dashboard/users/${id}/${change}`, list);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {changes
        .filter((change) => change !== 'delete')
        .map((change) => (
          <LinkButton key={change} to={to(change)}>
            {USER_CHANGES[change].label}
          </LinkButton>
        ))}
      {changes.includes('delete') ? (
        <LinkButton to={to('delete')} variant="danger" className="ms-auto">
          Delete
        </LinkButton>
      ) : null}
      {changes.length === 0 ? (
        <p className="text-soft">
          You cannot change this account. See the <Link to="/admin/dashboard/audit">audit trail</Link>.
        </p>
      ) : null}
    </div>
  );
}

interface ChangeFormProps {
  change: UserChange;
  user: UserTableRow;
  /** The account's revision as this page shows it. */
  revision: number;
  /** The session to end; null if it has already ended, and for other changes. */
  session: UserSessionRow | null;
  /** The query of the list to return to. */
  list: string;
  refused?: SentForm | undefined;
}

const ROLES = Object.entries(ROLE_LABELS).map(([value, label]) => ({ value, label }));

/** Confirms a change to an account: says what will happen and asks for a reason. */
export function ChangeForm({ change, user, revision, session, list, refused }: ChangeFormProps) {
  const { label, question, consequences, plainConsequences, isDangerous } = userChange(change);
  const { errors = {}, formErrors = [], values = {} } = refused ?? {};
  const { isSelling } = useSite();
  const path = `/admin/dashboard/users/${user.id}`;
  return (
    <div className="margin-rule mt-6 max-w-2xl py-2 ps-6">
      <h1 className="break-words">{question(user.email)}</h1>
      <p className="mt-2 flex flex-wrap items-center gap-2">
        {isSelling
          ? `${ROLE_LABELS[user.role]}, ${SUBSCRIPTION_LABELS[user.subscription]}`
          : ROLE_LABELS[user.role]}{' '}
        <StatusBadges {...user} />
      </p>
      {session === null ? null : (
        <p className="mt-2">
          <strong>{session.browser}.</strong> {sessionTimes(session)}
        </p>
      )}
      {change === 'end-session' && session === null ? (
        <p className="mt-2">This session has already ended.</p>
      ) : null}
      <p className="mt-2 max-w-prose">{isSelling ? consequences : (plainConsequences ?? consequences)}</p>
      <Form
        method="post"
        action={withList(`${path}/${change}`, list, session?.id)}
        className="mt-4 grid gap-4"
        noValidate
      >
        <ErrorSummary errors={formErrors} fields={fieldsToFix(errors)} />
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
          hint="Recorded in the audit trail and shown to the account’s owner."
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
          <LinkButton to={withList(path, list)}>Cancel</LinkButton>
        </div>
      </Form>
    </div>
  );
}
