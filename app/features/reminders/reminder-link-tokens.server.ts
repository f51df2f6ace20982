import type { DeliveryRecord } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { hashToken, newToken } from '#app/platform/secrets/secret-tokens.server.ts';

/** What a link in a mail or push is good for. */
export const ACT_PURPOSE = 'act-on-dose';

/** How long such a link works, in ms. */
const ACT_LIFE_MS = 24 * 3_600_000;

/**
 * Makes a link's secret for each delivery that is about a dose. Only its hash is kept; a delivery that is sent again
 * gets another one.
 * @returns the secrets by the delivery's id
 */
export async function createActTokens(
  ctx: Ctx,
  deliveries: readonly DeliveryRecord[],
): Promise<ReadonlyMap<string, string>> {
  const now = ctx.now();
  const tokens = new Map<string, string>();
  const secrets = deliveries.flatMap(({ id, userId, doseId }) => {
    if (doseId === null) return [];
    const token = newToken();
    tokens.set(id, token);
    return {
      hash: hashToken(token),
      userId,
      purpose: ACT_PURPOSE,
      createdAt: now,
      expiresAt: new Date(now.getTime() + ACT_LIFE_MS),
      failures: 0,
      facts: { doseId },
    } as const;
  });
  await ctx.repos.oneTimeSecrets.insertMany(secrets);
  return tokens;
}
