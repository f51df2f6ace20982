import type { Ctx } from '#app/platform/access/context.server.ts';
import { isInTransaction } from '#models/store/transaction.server.ts';
import { everyActTwice } from './conflicts.ts';
import { testConnection, type TestDatabase } from './database.ts';
import { reposOf } from './repositories.ts';

/** The same context, whose every act is run twice. */
export const withConflicts = (ctx: Ctx): Ctx => ({ ...ctx, transaction: everyActTwice(ctx.transaction) });

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
    Object.entries(reposOf(ctx)).map(([name, repository]) => [name, broken(repository as unknown as Calls)]),
  );
  return { ctx: { ...ctx, repos: ctx.repos.with(repos), transaction }, hasBroken: () => calls >= turn };
}

/** The same call, but the database refuses one of its commands to the repositories. */
export function refusing(ctx: Ctx, which: number): { ctx: Ctx; isRefused: () => boolean } {
  let calls = 0;
  const refuse =
    (call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      calls += 1;
      return calls === which ? Promise.reject(new Error('refused')) : call(...args);
    };
  type Every = Record<string, (...args: unknown[]) => unknown>;
  const repos = Object.fromEntries(
    Object.entries(reposOf(ctx) as unknown as Record<string, Every>).map(([name, calls]) => [
      name,
      Object.fromEntries(Object.entries(calls).map(([method, call]) => [method, refuse(call)])),
    ]),
  );
  return { ctx: { ...ctx, repos: ctx.repos.with(repos) }, isRefused: () => calls >= which };
}

/** Everything that is stored, as one text; without what counts attempts. */
export async function stored(db: TestDatabase): Promise<string> {
  const { db: found } = testConnection(db);
  const collections = (await found?.listCollections().toArray()) ?? [];
  // All at once: one after another, most of the time goes into waiting for each answer.
  const texts = await Promise.all(
    collections
      .filter(({ name }) => name !== 'throttles')
      .map(async ({ name }) => {
        const rows = await found?.collection(name).find({}).sort({ _id: 1 }).toArray();
        return `${name} ${JSON.stringify(rows)}`;
      }),
  );
  return texts.sort().join('\n');
}
