import { isAppError } from '#app/domain/errors.ts';
import type { OwnedImport } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { nextLook, takeBack, writeImport } from './import-apply.server.ts';

const BATCH = 20;

/** Brings an import that was cut off to its end; what is refused on the way is taken back by that. */
async function resume(ctx: Ctx, { userId, record }: OwnedImport): Promise<void> {
  const owner = await ctx.repos.users.findById(userId);
  // Its rows go with the account.
  if (owner === null) return;
  try {
    await writeImport(ctx, owner, record);
  } catch (error) {
    if (!isAppError(error) || error.code === 'DATABASE_UNAVAILABLE') throw error;
    ctx.log.warn({ userId, importId: record.id, code: error.code }, 'a cut-off import was taken back');
  }
}

async function settle(ctx: Ctx, due: OwnedImport): Promise<void> {
  const { userId, record } = due;
  if (record.state === 'applying') return resume(ctx, due);
  if (record.state === 'undoing') return void (await takeBack(ctx, userId, record.id));
  return ctx.repos.imports.discard(userId, record.id);
}

/**
 * Forgets files that were checked or begun to be read and never brought in, and finishes imports and undos that were
 * cut off: nothing stays half-written though its owner never comes back. Several workers at once do no harm.
 * @returns how many it looked after
 */
export async function settleImports(ctx: Ctx): Promise<number> {
  authorise(ctx.actor, 'import.settle');
  let settled = 0;
  for (const due of await ctx.repos.imports.findDue(ctx.now(), BATCH)) {
    if (!(await ctx.repos.imports.claimDue(due.userId, due.record, nextLook(ctx)))) continue;
    await settle(ctx, due);
    settled += 1;
  }
  return settled;
}
