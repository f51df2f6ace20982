import { Link } from '@remix-run/react';
import { plural } from '#app/domain/text/plural.ts';
import { Icon } from '#app/ui/icon.tsx';

export const PROPOSALS_PATH = '/dashboard/proposals';

/** Shows the number of waiting proposals in place of the bell, for users without reminders. */
export function ProposalLink({ waiting }: { waiting: number }) {
  return (
    <Link to={PROPOSALS_PATH} className="bell-button">
      <Icon name="bell" />
      <span className="bell-badge" aria-hidden="true">
        {waiting}
      </span>
      <span className="sr-only">{plural(waiting, 'proposal')} waiting</span>
    </Link>
  );
}
