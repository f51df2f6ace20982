import { outgoingChannelMail, type OutgoingChannel } from '#app/domain/accounts/account-mails.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { repos } from './repositories.server.ts';

/** Mails the owner of an account about a new way for its data to leave, or a changed one. */
export async function notifyOfChannel(ctx: Ctx, userId: string, channel: OutgoingChannel): Promise<void> {
  const user = await repos(ctx).users.find(userId);
  if (user === null) return;
  const { appUrl } = ctx;
  const moment = { at: ctx.now(), timeZone: user.timeZone };
  await ctx.mailQueue.post(user.email, outgoingChannelMail({ appUrl, ...moment, channel }));
}
