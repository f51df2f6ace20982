import { Link } from '@remix-run/react';
import { Badge } from '#app/ui/badge.tsx';

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

function Line({ session }: { session: SessionRow }) {
  const { id, browser, address, lastUsed, started, isCurrent } = session;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {browser}
          {isCurrent ? <Badge tone="good">This session</Badge> : null}
        </p>
        <p className="text-sm text-soft">{`From ${address}. Last used ${lastUsed}, signed in ${started}.`}</p>
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
}

/** Where the account is signed in. */
export function SessionList({ sessions }: { sessions: readonly SessionRow[] }) {
  return (
    <>
      <p className="text-soft">
        If you do not recognise one, end it and change your password. A browser can call itself anything.
      </p>
      <ul>
        {sessions.map((session) => (
          <Line key={session.id} session={session} />
        ))}
      </ul>
    </>
  );
}
