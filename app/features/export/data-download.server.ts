import type { Readable } from 'node:stream';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { heavyFile } from '#app/platform/heavy-work.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { repos } from './repositories.server.ts';

/** A file with everything that is stored about a person. */
export interface DataDownload {
  fileName: string;
  /**
   * The JSON text, read from the database only as fast as it is consumed.
   * @throws AppError RATE_LIMITED while the account's previous file, or too many others, are still being made
   */
  open(): Promise<Readable>;
}

/** An administrator's id is not shown to the owner of the account. */
function withoutOthers(collection: string, row: Record<string, unknown>, userId: string) {
  if (collection !== 'audit' || row['actor'] === userId) return row;
  return { ...row, actor: 'somebody else', from: null };
}

async function* write(ctx: Ctx, user: SignedInUser): AsyncGenerator<string> {
  const { personalData } = repos(ctx);
  yield `{\n"exportedAt": ${JSON.stringify(ctx.now())},\n"collections": {`;
  let before = '\n';
  for (const collection of await personalData.collections()) {
    yield `${before}${JSON.stringify(collection)}: [`;
    before = ',\n';
    let separator = '\n';
    for await (const row of personalData.documents(collection, user)) {
      yield `${separator}${JSON.stringify(withoutOthers(collection, row, user.id))}`;
      separator = ',\n';
    }
    yield separator === '\n' ? ']' : '\n]';
  }
  yield '\n}\n}\n';
}

/**
 * Everything that is stored about the signed-in user: every document of every collection that names them, without
 * password and token hashes.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED
 */
export async function downloadData(ctx: Ctx): Promise<DataDownload> {
  const user = authoriseUser(ctx.actor, 'account.download');
  await ctx.throttle.take({ rule: THROTTLE_RULES.dataDownload, who: user.id });
  ctx.log.info({ userId: user.id }, 'full data download');
  return {
    fileName: `vialbook-data-${calendarDay(ctx.now(), user.timeZone)}.json`,
    open: () => heavyFile(ctx, () => write(ctx, user)),
  };
}
