import { Link } from '@remix-run/react';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { useSite } from '#app/ui/site.ts';

export interface OverviewFigure {
  label: string;
  value: string;
  /** Shown below it: a share or an average. */
  note: string;
  /** Link to the list of what it counts. */
  href?: string;
}

/** The figures at the top of an admin page. */
export function OverviewFigures({ figures }: { figures: readonly OverviewFigure[] }) {
  return (
    <dl className="admin-figures">
      {figures.map(({ label, value, note, href }) => (
        <div key={label} className="sheet p-4">
          <dt className="text-sm text-soft">{label}</dt>
          <dd>
            {href ? (
              <Link to={href} className="admin-figure figure">
                {value}
              </Link>
            ) : (
              <span className="admin-figure figure">{value}</span>
            )}
          </dd>
          <dd className="text-sm text-soft">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

export function QuickActions() {
  const { isSelling } = useSite();
  return (
    <section aria-labelledby="quick" className="py-4">
      <h2 id="quick" className="text-xl">
        Quick actions
      </h2>
      <div className="mt-2 flex flex-wrap gap-2">
        <LinkButton to="/admin/dashboard/users" variant="primary">
          Find a user
        </LinkButton>
        {isSelling ? (
          <LinkButton to="/admin/dashboard/users?status=past_due">Past due accounts</LinkButton>
        ) : null}
        <LinkButton to="/admin/dashboard/users?status=suspended">Suspended accounts</LinkButton>
        <LinkButton to="/admin/dashboard/audit">Audit trail</LinkButton>
      </div>
    </section>
  );
}

interface ActivityRow {
  id: string;
  when: string;
  what: string;
  who: string;
  /** Null when the account no longer exists. */
  userId: string | null;
}

export function RecentActivity({ rows }: { rows: readonly ActivityRow[] }) {
  const { isSelling } = useSite();
  return (
    <section aria-labelledby="activity">
      <h2 id="activity" className="text-xl">
        Recent activity
      </h2>
      {rows.length === 0 ? (
        <EmptyState title="Nothing yet">
          {isSelling
            ? 'Changes to accounts and payments will appear here.'
            : 'Changes to accounts will appear here.'}
        </EmptyState>
      ) : (
        <ul className="sheet mt-2">
          {rows.map(({ id, when, what, who, userId }) => (
            <li key={id} className="admin-activity">
              <span className="figure text-sm text-soft">{when}</span>
              <span>{what}</span>
              {userId === null ? (
                <span className="break-all text-soft">{who}</span>
              ) : (
                <Link
                  to={`/admin/dashboard/users/${userId}`}
                  className="inline-flex min-h-11 items-center break-all"
                >
                  {who}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
