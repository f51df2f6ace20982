import { Link } from '@remix-run/react';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';
import { Disclosure } from '#app/ui/disclosure.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { SHARES_PATH } from './share-form.tsx';

/** A link to a report as texts to show. */
export interface ShareLine {
  id: string;
  /** For whom, else what it shows. */
  title: string;
  state: 'open' | 'revoked' | 'expired';
  /** "BPC-157, 1 Jan 2026 to 31 Mar 2026, with notes" */
  about: string;
  /** "Made 9 Mar 2026, 08:30. Works until …" */
  times: string;
  viewCount: number;
  /** The latest first: "9 Mar 2026, 08:30, network 192.0.2.0/24". */
  views: string[];
}

const STATES: Record<ShareLine['state'], { word: string; tone: BadgeTone }> = {
  open: { word: 'Works', tone: 'good' },
  revoked: { word: 'Revoked', tone: 'plain' },
  expired: { word: 'Expired', tone: 'plain' },
};

function viewsSummary({ viewCount, views }: ShareLine): string {
  const times = viewCount === 1 ? 'Opened once' : `Opened ${viewCount} times`;
  return viewCount > views.length ? `${times}, the latest ${views.length} are listed` : times;
}

function Line({ share }: { share: ShareLine }) {
  const { id, title, state, about, times, viewCount, views } = share;
  return (
    <li className="border-b border-line py-3">
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
}

/** The account's links to reports, with who looked. */
export function ShareList({ shares }: { shares: readonly ShareLine[] }) {
  if (shares.length === 0)
    return (
      <EmptyState level={2} title="No links yet">
        A link lets one person, such as your clinician, read a report without an account. You see when it was
        opened, and can end it at any time. Your e-mail address is not on it.
      </EmptyState>
    );
  return (
    <>
      <p className="max-w-prose text-soft">
        Each lets whoever has it read the report as it stands when they open it. Your own looks are not
        counted.
      </p>
      <ul>
        {shares.map((share) => (
          <Line key={share.id} share={share} />
        ))}
      </ul>
    </>
  );
}
