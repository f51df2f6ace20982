import { countWaitingProposals } from '#app/features/proposals/index.server.ts';
import { getBellView } from '#app/features/reminders/index.server.ts';
import { shownAnnouncements } from '#app/features/system/index.server.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { isInDemo } from '#app/platform/access/authorise.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import type { FrameData } from './account-frame.tsx';

/** What the frame of all signed-in pages shows. Each page below asks for its own permission; this one only draws. */
export async function readAccountFrame({ ctx, user }: UserPageArgs): Promise<FrameData> {
  return {
    account: { userId: user.id, sessionId: user.sessionId },
    email: user.email,
    premium: user.entitlement.isPremium,
    trialDaysLeft: user.entitlement.trialDaysLeft,
    isPastDue: user.entitlement.status === 'past_due',
    isUnconfirmed: !user.hasConfirmedEmail,
    isDemo: isInDemo(user),
    deletedOn: user.deleteAfter && shownInstant(user.deleteAfter, ctx.timeZone),
    announcements: (await shownAnnouncements(ctx)).map(({ id, title, text, isDismissible }) => ({
      id,
      title,
      text,
      isDismissible,
    })),
    proposals: await countWaitingProposals(ctx),
    bell: user.entitlement.isPremium ? await getBellView(ctx, user.timeZone) : null,
  };
}
