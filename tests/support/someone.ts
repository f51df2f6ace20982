import { entitlementOf } from '#app/domain/billing/plans.ts';
import { usualSyringe } from '#app/domain/calculator/own-syringe.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { getUserByEmail } from '#app/platform/access/owner.server.ts';
import { loadSessionSecret } from '#app/platform/secrets/server-secrets.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from './database.ts';
import { heldOpen } from './held-open.ts';
import { databaseEnv } from './named-deployment.ts';

/** A running server's services, opened on the same data directory like a second process. */
export function besideServer(directory: string): Promise<TestDatabase> {
  return heldOpen(`services ${directory}`, async () => {
    const secret = await loadSessionSecret(databaseEnv({ DATA_DIR: directory }));
    const database = await openTestDatabase({ directory, secret, env: { RATE_LIMIT_FACTOR: '1000' } });
    return { ...database, close: () => database.dispose() };
  });
}

/** Runs operations as a user of a running server, on its data directory. */
export async function asSomeone<T>(
  directory: string,
  email: string,
  work: (ctx: Ctx, database: TestDatabase) => Promise<T>,
): Promise<T> {
  const database = await besideServer(directory);
  const user = await getUserByEmail(database.ctx(TERMINAL), email);
  const ctx = database.ctx({
    kind: 'user',
    id: user.id,
    email,
    role: user.role,
    entitlement: entitlementOf(user, database.ctx(TERMINAL)),
    sessionId: 'test',
    authenticatedAt: new Date(),
    hasConfirmedEmail: true,
    lacksSecondFactor: false,
    deleteAfter: null,
    doseUnit: user.doseUnit,
    syringe: usualSyringe(user),
    syringes: user.syringes,
    timeZone: user.timeZone,
  });
  return work(ctx, database);
}

/** Confirms the address of a running server's user, as the link in their mail would. */
export async function confirmAddress(directory: string, email: string): Promise<void> {
  const { repos } = await besideServer(directory);
  const id = (await repos.addresses.findOwner(email)) ?? '';
  if (!(await repos.users.confirmEmail(id, email, new Date()))) throw new Error(`${email} is confirmed`);
}
