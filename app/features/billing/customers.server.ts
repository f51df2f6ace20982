import { authorise } from '#app/platform/access/authorise.server.ts';
import { isAppError } from '#app/domain/errors.ts';
import type { UserRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** Creates the account's customer at the payment provider and links it before anything is bought. */
async function makeCustomer(ctx: Ctx, user: UserRecord): Promise<string> {
  const { id, email, stripeCustomerId: known } = user;
  const customerId = await ctx.payments.createCustomer({ userId: id, email });
  await ctx.repos.stripeCustomers.link(customerId, id);
  if (await ctx.repos.users.setStripeCustomer(id, known, customerId)) return customerId;
  return (await ctx.repos.users.find(id))?.stripeCustomerId ?? customerId;
}

/**
 * Calls the payment provider with the account's customer, creating it first if there is none or if the provider no
 * longer knows it.
 * @throws AppError as the call does
 */
export async function withCustomer<T>(
  ctx: Ctx,
  user: UserRecord,
  call: (customerId: string) => Promise<T>,
): Promise<T> {
  if (user.stripeCustomerId === null) return call(await makeCustomer(ctx, user));
  try {
    return await call(user.stripeCustomerId);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
    return call(await makeCustomer(ctx, user));
  }
}

/** Sends an account's new address to the provider. A failure is logged: bills go to the old one until the next change. */
export async function moveCustomer(ctx: Ctx, user: UserRecord, email: string): Promise<void> {
  authorise(ctx.actor, 'email.confirm');
  if (user.stripeCustomerId === null || ctx.payments.mode === 'off') return;
  try {
    await ctx.payments.updateCustomerEmail(user.stripeCustomerId, email);
  } catch (error) {
    if (!isAppError(error)) throw error;
    ctx.log.warn({ userId: user.id, code: error.code }, 'the payment provider was not told a new address');
  }
}

/**
 * Deletes the customer at the provider, with its subscriptions, before the account is deleted. Later events about it
 * concern nobody here.
 * @throws AppError PROVIDER_UNAVAILABLE when the account must stay for another attempt
 */
export async function forgetCustomer(ctx: Ctx, user: UserRecord): Promise<void> {
  authorise(ctx.actor, 'account.purge');
  await ctx.repos.stripeCustomers.unlink(user.id);
  if (user.stripeCustomerId === null) return;
  if (ctx.payments.mode === 'off') {
    ctx.log.warn({ userId: user.id }, 'a customer stays at the payment provider: billing is not configured');
    return;
  }
  await ctx.payments.deleteCustomer(user.stripeCustomerId);
}
