import { demoEnd, DEMO_MESSAGES, MAX_DEMOS, NEXT_DEMO_SECONDS } from '#app/domain/demo/demo.ts';
import { DEMO_DOMAIN, demoAddress } from '#app/domain/accounts/account.ts';
import { AppError } from '#app/domain/errors.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import { contextAs, type Ctx } from '#app/platform/access/context.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { newToken } from '#app/platform/secrets/secret-tokens.server.ts';
import { hashPassword } from './passwords.server.ts';
import { actorOf } from './sessions.server.ts';
import { signedIn, type SignedIn } from './sign-in.server.ts';

interface DemoAccount {
  /** IANA name. */
  timeZone: string;
  /** Writes what is in it. @param ctx as its owner */
  fill: (ctx: Ctx) => Promise<void>;
}

/** @throws AppError RATE_LIMITED */
async function requireRoom(ctx: Ctx, most: number): Promise<void> {
  if ((await ctx.repos.users.countOfDomain(DEMO_DOMAIN, ctx.now())) > most)
    throw new AppError('RATE_LIMITED', DEMO_MESSAGES.full, { retryAfterSeconds: NEXT_DEMO_SECONDS });
}

/**
 * Makes a demo account with Premium, fills it and signs in to it. It has a password that nobody knows, and is due for
 * deletion from the beginning: what removes accounts whose owners asked for it removes demos as well.
 * @throws AppError RATE_LIMITED, also when as many demos are there as can be
 */
export async function startDemoAccount(ctx: Ctx, { timeZone, fill }: DemoAccount): Promise<SignedIn> {
  authorise(ctx.actor, 'demo.start');
  await ctx.throttle.take({ rule: THROTTLE_RULES.demo, who: ctx.client.address });
  await requireRoom(ctx, MAX_DEMOS - 1);
  const { addresses, personalData, users } = ctx.repos;
  const now = ctx.now();
  const id = newId(now);
  const email = demoAddress(id);
  const passwordHash = await hashPassword(newToken());
  await addresses.claim(email, id);
  await users.create({
    ...{ id, email, passwordHash, role: 'user', timeZone, createdAt: now, lastLogin: now },
    ...{ emailConfirmedAt: now, grantedAt: now, deleteAfter: demoEnd(now) },
  });
  try {
    // Others may have begun at the same moment: whoever finds one too many goes.
    await requireRoom(ctx, MAX_DEMOS);
    const user = await users.find(id);
    if (user === null) throw new AppError('NOT_FOUND', DEMO_MESSAGES.failed);
    await fill(contextAs(ctx, actorOf(ctx, user, { signInId: id, authenticatedAt: now })));
    ctx.log.info({ userId: id }, 'demo begun');
    return await signedIn(ctx, id, { remember: false, revision: 0 });
  } catch (error) {
    await personalData.deleteAll({ id, email });
    throw error;
  }
}
