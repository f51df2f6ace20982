import { shareState } from '#app/domain/reports/report-share.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/**
 * The links of the signed-in user that open something without signing in, as they read in a list: shared reports and the
 * calendar. Somebody who changes their password may want them to end as well.
 */
export async function listOpenLinks(ctx: Ctx): Promise<string[]> {
  const { id } = authoriseUser(ctx.actor, 'account.read');
  const [shares, feed] = await Promise.all([
    ctx.repos.reportShares.list(id),
    ctx.repos.calendarFeeds.findOf(id),
  ]);
  const reports = shares
    .filter((share) => shareState(share, ctx.now()) === 'open')
    .map(({ label, start, end }) => {
      const days = `${shownDay(start)} to ${shownDay(end)}`;
      return label === null ? `Report of ${days}` : `Report of ${days}, for ${label}`;
    });
  return [...reports, ...(feed === null ? [] : ['Calendar link'])];
}

/** Ends all links of an account that open something without signing in. Its owner has proved who they are. */
export async function endOpenLinks(ctx: Ctx, userId: string): Promise<void> {
  await ctx.repos.reportShares.revokeAll(userId, ctx.now());
  await ctx.repos.calendarFeeds.delete(userId);
}
