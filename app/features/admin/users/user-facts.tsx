import { Link } from '@remix-run/react';
import { USER_CHANGES, type UserChange } from '#app/domain/admin/user-changes.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { StatusBadges, type UserTableRow } from './user-table.tsx';
import { ROLE_LABELS, SUBSCRIPTION_LABELS } from './user-texts.ts';

/** Everything the page of a user shows. */
export interface UserFactsProps extends UserTableRow {
  name: string | null;
  zone: string;
  source: string | null;
  secondFactor: boolean;
  sessions: number;
  stripeCustomerId: string | null;
  created: string;
  lastSeen: string;
  trialEnds: string | null;
  creditUntil: string | null;
  granted: string | null;
  suspendedSince: string | null;
  deleteAfter: string | null;
  usage: readonly { kind: string; count: number }[];
}

function factsOf(user: UserFactsProps): [label: string, value: string | null][] {
  return [
    ['Email', user.email],
    ['Name', user.name],
    ['Role', ROLE_LABELS[user.role]],
    ['Subscription', SUBSCRIPTION_LABELS[user.subscription]],
    ['Premium from', user.source],
    ['Created', user.created],
    ['Last login', user.lastLogin],
    ['Last active', user.lastSeen],
    ['Trial ends', user.trialEnds],
    ['Referral credit until', user.creditUntil],
    ['Premium granted', user.granted],
    ['Suspended since', user.suspendedSince],
    ['Deletion scheduled', user.deleteAfter],
    ['Two-step sign-in', user.secondFactor ? 'On' : 'Off'],
    ['Active sign-ins', String(user.sessions)],
    ['Time zone', user.zone],
    ['Payment customer', user.stripeCustomerId],
    ['Id', user.id],
  ];
}

/** What is known of an account, and how much it is used. */
export function UserFacts(user: UserFactsProps) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <section aria-labelledby="account" className="sheet p-4">
        <h2 id="account" className="flex flex-wrap items-center gap-2 text-xl">
          Account <StatusBadges {...user} />
        </h2>
        <dl className="admin-facts">
          {factsOf(user)
            .filter(([, value]) => value !== null)
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

/** The changes an account offers; what destroys stands apart. */
export function UserActions({ id, changes }: { id: string; changes: readonly UserChange[] }) {
  const to = (change: UserChange) => `/admin/dashboard/users/${id}/${change}`;
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
