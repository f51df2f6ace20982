import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** Settles what belongs to a sign-in that has ended: gone for a free account, kept for a premium one. */
async function settleCalculations(ctx: Ctx, userId: string, signInId: string): Promise<void> {
  const user = await ctx.repos.users.findById(userId);
  const isPremium = user !== null && entitlementOf(user, ctx.now()).isPremium;
  if (isPremium) await ctx.repos.calculations.keep(userId, signInId);
  else await ctx.repos.calculations.clearSignIn(userId, signInId);
}

/**
 * Ends one sign-in. It is refused first, then what belongs to it is settled, then its rows go: whatever is cut off
 * in between is finished by {@link clearOverSessions}.
 */
export async function endSignIn(ctx: Ctx, userId: string, signInId: string): Promise<void> {
  const now = ctx.now();
  await ctx.repos.sessions.markEnded(userId, signInId, now);
  // Who signs out of a browser wants it to tell nothing any more; one whose session ran out is still reminded.
  await ctx.repos.pushSubscriptions.removeOfSignIn(userId, signInId);
  await settleCalculations(ctx, userId, signInId);
  await ctx.repos.sessions.removeEnded(userId, signInId, now);
}

/** Ends all sign-ins of an account but the one to keep. Their calculations are settled as at a sign-out. */
export async function endSignIns(ctx: Ctx, userId: string, keep: string | null): Promise<void> {
  for (const signInId of await ctx.repos.sessions.listSignIns(userId)) {
    if (signInId !== keep) await endSignIn(ctx, userId, signInId);
  }
}

/** Puts a suspended account out everywhere. Its browsers are told so at their next request. */
export async function refuseAllSessions(ctx: Ctx, userId: string): Promise<void> {
  const signIns = await ctx.repos.sessions.refuseAll(userId, ctx.now());
  for (const signInId of signIns) await settleCalculations(ctx, userId, signInId);
}

const BATCH = 100;

/**
 * Clears away sessions whose time is over, with what belongs to them. Run it now and then; several at once do no harm.
 * @returns how many sessions were cleared away
 */
export async function clearOverSessions(ctx: Ctx): Promise<number> {
  let cleared = 0;
  for (;;) {
    const now = ctx.now();
    const over = await ctx.repos.sessions.findOver(now, BATCH);
    for (const { userId, signInId } of over) {
      // A rotation that was cut off leaves an old row of a sign-in that goes on under another secret.
      const goesOn = await ctx.repos.sessions.isRunning(userId, signInId, now);
      if (!goesOn) await settleCalculations(ctx, userId, signInId);
      await ctx.repos.sessions.removeEnded(userId, signInId, now);
    }
    cleared += over.length;
    if (over.length < BATCH) return cleared;
  }
}
