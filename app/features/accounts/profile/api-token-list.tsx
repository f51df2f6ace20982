import { Link } from '@remix-run/react';
import { Badge } from '#app/ui/badge.tsx';
import { LinkButton } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

/** A personal token as texts to show. */
export interface ApiTokenRow {
  id: string;
  name: string;
  /** "Read", "Read and write" */
  may: string;
  made: string;
  /** Null for one without end. */
  ends: string | null;
  /** Null for one that was never used. */
  lastUsed: string | null;
  isOver: boolean;
}

const NEW = (
  <LinkButton to="/dashboard/profile/tokens/new" variant="primary">
    New token
  </LinkButton>
);

function Line({ token }: { token: ApiTokenRow }) {
  const { id, name, may, made, ends, lastUsed, isOver } = token;
  const end = ends === null ? 'no end' : isOver ? `ended ${ends}` : `ends ${ends}`;
  const used = lastUsed === null ? 'Not used yet' : `Last used ${lastUsed}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span className="min-w-0 break-words">{name}</span>
          {isOver ? <Badge tone="warn">Over</Badge> : <Badge tone="plain">{may}</Badge>}
        </p>
        <p className="text-sm text-soft">{`${used}. Made ${made}, ${end}.`}</p>
      </div>
      <Link
        to={`/dashboard/profile/tokens/${id}/revoke`}
        className="inline-flex min-h-11 items-center"
        aria-label={`Revoke the token ${name}`}
      >
        Revoke
      </Link>
    </li>
  );
}

/** The account's personal tokens. */
export function ApiTokenList({ tokens, isFull }: { tokens: readonly ApiTokenRow[]; isFull: boolean }) {
  if (tokens.length === 0)
    return (
      <EmptyState title="No tokens yet" action={NEW} level={2}>
        A token lets a script or another program use the API in your name, without your password.
      </EmptyState>
    );
  return (
    <>
      <p className="text-soft">
        Each lets a program use the API in your name. Revoke what you no longer need: it stops at once.
      </p>
      <ul>
        {tokens.map((token) => (
          <Line key={token.id} token={token} />
        ))}
      </ul>
      {isFull ? <p>There can be no more tokens. Revoke one to make another.</p> : <div>{NEW}</div>}
    </>
  );
}
