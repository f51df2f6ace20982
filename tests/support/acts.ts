import type { Ctx } from '#app/platform/access/context.server.ts';
import { testConnection, type TestDatabase } from './database.ts';

/** The same call, but the database refuses one of its commands to the repositories. */
export function refusing(ctx: Ctx, which: number): { ctx: Ctx; isRefused: () => boolean } {
  let calls = 0;
  const refuse =
    (call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      calls += 1;
      return calls === which ? Promise.reject(new Error('refused')) : call(...args);
    };
  type Calls = Record<string, (...args: unknown[]) => unknown>;
  const repos = Object.fromEntries(
    Object.entries(ctx.repos as unknown as Record<string, Calls>).map(([name, calls]) => [
      name,
      Object.fromEntries(Object.entries(calls).map(([method, call]) => [method, refuse(call)])),
    ]),
  );
  return { ctx: { ...ctx, repos: repos as unknown as Ctx['repos'] }, isRefused: () => calls >= which };
}

/** Everything that is stored, as one text; without what counts attempts. */
export async function stored(db: TestDatabase): Promise<string> {
  const { db: found } = testConnection(db);
  const texts: string[] = [];
  for (const { name } of (await found?.listCollections().toArray()) ?? []) {
    const rows = await found?.collection(name).find({}).sort({ _id: 1 }).toArray();
    if (name !== 'throttles') texts.push(`${name} ${JSON.stringify(rows)}`);
  }
  return texts.sort().join('\n');
}
