import { AppError } from '#app/domain/errors.ts';
import { PROFILE_MESSAGES } from '#app/domain/accounts/profile-schema.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { verifyPassword } from './passwords.server.ts';
import { THROTTLE_RULES, type Bucket } from '#app/platform/access/throttle.server.ts';

/**
 * Checks a secret under a throttle. Only failures count. The count is looked at before and after: of many guesses sent
 * at once no more than the limit are answered as such, and a right one among the rest is refused too.
 * @param refusal made when the secret is wrong
 * @throws AppError RATE_LIMITED, or the refusal
 */
export async function checkUnderThrottle(
  ctx: Ctx,
  buckets: readonly Bucket[],
  isRight: () => Promise<boolean>,
  refusal: () => AppError,
): Promise<void> {
  await ctx.throttle.check(buckets);
  if (!(await isRight())) {
    await Promise.all(buckets.map((bucket) => ctx.throttle.take(bucket)));
    throw refusal();
  }
  await ctx.throttle.check(buckets);
}

/**
 * Checks the password that a signed-in user entered again.
 * @param field the form's control, for the message
 * @returns the hash it belongs to
 * @throws AppError INVALID_INPUT at the field, RATE_LIMITED
 */
export async function checkOwnPassword(
  ctx: Ctx,
  user: SignedInUser,
  password: string,
  field: string,
): Promise<string> {
  const hash = await ctx.repos.users.findPasswordHash(user.id);
  const message = PROFILE_MESSAGES.wrongPassword;
  await checkUnderThrottle(
    ctx,
    [{ rule: THROTTLE_RULES.passwordCheck, who: user.id }],
    () => verifyPassword(hash, password),
    () => new AppError('INVALID_INPUT', message, { fields: { [field]: [message] } }),
  );
  return hash ?? '';
}
