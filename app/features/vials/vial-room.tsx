import { Link } from '@remix-run/react';
import type { VialRoom } from '#app/domain/billing/plans.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';

/** How much of the free plan's limit is used, and how to get beyond it; nothing on a plan without one. */
export function VialRoomLine({ room }: { room: VialRoom | null }) {
  if (room === null) return null;
  const isFull = room.used >= room.limit;
  return (
    <p className="mb-4 text-soft">
      {`${room.used} of ${room.limit} vials. `}
      {isFull ? 'Use up or discard one, or ' : ''}
      <Link to="/upgrade">{isFull ? 'upgrade to Pro' : 'Upgrade to Pro'}</Link>
      {' for unlimited vials.'}
    </p>
  );
}

/** Shown in place of the form when the free plan's limit is reached. */
export function PlanLimitNotice({ message }: { message: string }) {
  return (
    <Notice
      tone="info"
      title="The free plan is full"
      role="note"
      actions={
        <>
          <LinkButton variant="primary" to="/upgrade">
            Upgrade to Pro
          </LinkButton>
          <LinkButton to="/dashboard/vials">Back to vials</LinkButton>
        </>
      }
    >
      <p>{message}</p>
    </Notice>
  );
}
