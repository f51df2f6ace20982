import { LinkButton } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { useTimeZone } from '#app/ui/use-time-zone.ts';

interface TravelNoticeProps {
  /** The zone of the profile. */
  homeZone: string;
  /** Running schedules: whose clock they keep, and where their owner said to keep it. */
  schedules: readonly { isActive: boolean; timeZone: string; keptIn: string | null }[];
}

/** Offers to settle times when this browser is in another zone than the profile. Needs scripts to know the zone. */
export function TravelNotice({ homeZone, schedules }: TravelNoticeProps) {
  const here = useTimeZone();
  const isOpen = schedules.some(
    ({ isActive, timeZone, keptIn }) => isActive && timeZone !== here && keptIn !== here,
  );
  if (here === '' || here === homeZone || !isOpen) return null;
  const zone = here.replaceAll('_', ' ');
  return (
    <Notice
      title={`This device is on the time of ${zone}`}
      role="status"
      actions={
        <LinkButton to={`/dashboard/schedule/travel?zone=${encodeURIComponent(here)}`}>
          Settle times
        </LinkButton>
      }
    >
      <p>Your schedules can keep home time or follow the clock here. You decide for each.</p>
    </Notice>
  );
}
