import type { MetaFunction } from '@remix-run/node';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { FEED_MESSAGES } from '#app/domain/schedules/calendar-feed-schema.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteCalendarFeed } from '#app/features/schedules/index.server.ts';

export const meta: MetaFunction = () => [{ title: 'Turn off the calendar link – Vialbook' }];

const BACK = '/dashboard/schedule/calendar-feed';

export const loader = forPremiumUsers(() => null);

export const action = forPremiumUsers(async ({ ctx }) => {
  await deleteCalendarFeed(ctx);
  throw await done(BACK, FEED_MESSAGES.off);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function CalendarFeedOff() {
  return (
    <Confirmation title="Turn off the calendar link?" action={`${BACK}/off`} yes="Turn off" noHref={BACK}>
      <p>
        Calendar apps that use the link stop showing your doses the next time they update. You can create a
        new link later.
      </p>
    </Confirmation>
  );
}
