import { entitlementOf } from '#app/domain/billing/entitlement.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { getUserByEmail } from '#app/platform/access/owner.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from './database.ts';

/** Does something through the services as somebody of a running server, on its data directory. */
export async function asSomeone<T>(
  directory: string,
  email: string,
  work: (ctx: Ctx, database: TestDatabase) => Promise<T>,
): Promise<T> {
  const database = await openTestDatabase({ directory, env: { RATE_LIMIT_FACTOR: '1000' } });
  try {
    const user = await getUserByEmail(database.ctx(TERMINAL), email);
    const ctx = database.ctx({
      kind: 'user',
      id: user.id,
      email,
      role: user.role,
      entitlement: entitlementOf(user, new Date()),
      sessionId: 'test',
      authenticatedAt: new Date(),
      lacksSecondFactor: false,
      doseUnit: user.doseUnit,
      timeZone: user.timeZone,
    });
    return await work(ctx, database);
  } finally {
    await database.dispose();
  }
}
