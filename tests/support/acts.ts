import { mongo } from 'mongoose';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { isInTransaction } from '#models/transaction.server.ts';

/** The same context, whose every act is run twice: the first time it ends as if another change had been in its way. */
export function withConflicts(ctx: Ctx): Ctx {
  return {
    ...ctx,
    transaction: <T>(act: () => Promise<T>) => {
      if (isInTransaction()) return ctx.transaction(act);
      let attempts = 0;
      return ctx.transaction(async () => {
        attempts += 1;
        const result = await act();
        if (attempts > 1) return result;
        const labels = { errorLabels: ['TransientTransactionError'], code: 112 };
        throw new mongo.MongoServerError({ message: 'another change was in the way', ...labels });
      });
    },
  };
}

type Calls = Record<string, (...args: never[]) => unknown>;

/**
 * The same context, which breaks down before one of the calls of its repositories within its first act.
 * @param turn which call, from 1
 */
export function brokenAt(ctx: Ctx, turn: number): { ctx: Ctx; hasBroken(): boolean } {
  let acts = 0;
  let calls = 0;
  const transaction = <T>(act: () => Promise<T>) => {
    if (isInTransaction()) return ctx.transaction(act);
    return ctx.transaction(() => {
      acts += 1;
      return act();
    });
  };
  const broken = (repository: Calls): Calls =>
    Object.fromEntries(
      Object.entries(repository).map(([name, call]) => [
        name,
        (...args: never[]) => {
          const isCounted = acts === 1 && isInTransaction();
          if (isCounted) calls += 1;
          return isCounted && calls === turn
            ? Promise.reject(new Error(`cut off before ${name}`))
            : call(...args);
        },
      ]),
    );
  const repos = Object.fromEntries(
    Object.entries(ctx.repos).map(([name, repository]) => [name, broken(repository as unknown as Calls)]),
  ) as unknown as Ctx['repos'];
  return { ctx: { ...ctx, repos, transaction }, hasBroken: () => calls >= turn };
}
