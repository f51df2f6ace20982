import type { Ctx } from '#app/platform/access/context.server.ts';
import { runOnce } from '#app/platform/idempotency/idempotency.server.ts';

/** Writes with a key: the first, its repetition, and one that fails. */
export async function repeatCalls(ctx: Ctx): Promise<void> {
  const call = { key: 'k', fingerprint: 'f', keepsAnswer: true };
  for (const answer of ['first', 'again']) await runOnce(ctx, call, () => Promise.resolve(answer));
  const failing = () => Promise.reject(new Error('cut off'));
  await runOnce(ctx, { ...call, key: 'other' }, failing).catch(() => undefined);
}
