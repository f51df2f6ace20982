import { Link } from '@remix-run/react';
import { Badge } from '#app/ui/badge.tsx';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { useSite } from '#app/ui/site.ts';

/** A session as texts to show. */
export interface SessionRow {
  id: string;
  /** "Firefox on Linux" */
  browser: string;
  address: string;
  lastUsed: string;
  started: string;
  isCurrent: boolean;
}

const origin = ({ address, lastUsed, started }: SessionRow) =>
  `From ${address}. Last used ${lastUsed}, signed in ${started}.`;

/** Where the account is signed in. */
export function SessionList({ sessions }: { sessions: readonly SessionRow[] }) {
  return (
    <>
      <p className="text-soft">
        If you do not recognise a session, end it and change your password. Browser names can be faked, so
        they prove nothing.
      </p>
      <ul>
        {sessions.map((session) => {
          const { id, browser, lastUsed, isCurrent } = session;
          return (
            <li
              key={session.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-3"
            >
              <div className="min-w-0 flex-1 basis-60">
                <p className="flex flex-wrap items-center gap-2 font-semibold">
                  {browser}
                  {isCurrent ? <Badge tone="good">This session</Badge> : null}
                </p>
                <p className="text-sm text-soft">{origin(session)}</p>
              </div>
              {isCurrent ? null : (
                <Link
                  to={`/dashboard/profile/sessions/${id}/end`}
                  className="inline-flex min-h-11 items-center"
                  aria-label={`End the session ${browser}, last used ${lastUsed}`}
                >
                  End
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The question before a session ends. */
export function EndSession({ session, action }: { session: SessionRow; action: string }) {
  const { isSelling } = useSite();
  return (
    <Confirmation
      title="End this session?"
      action={action}
      yes="End session"
      noHref="/dashboard/profile/security"
    >
      <p className="font-semibold">{session.browser}</p>
      <p className="text-soft">{origin(session)}</p>
      <p className="text-soft">
        {isSelling
          ? 'That browser will be signed out on its next page load. On the free plan, calculations saved in that session are deleted.'
          : 'That browser will be signed out on its next page load.'}
      </p>
    </Confirmation>
  );
}
