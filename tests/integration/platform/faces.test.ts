import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '#app/domain/errors.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';

/** Every face of a feature on the server, by room. */
const FACES = import.meta.glob<Record<string, unknown>>('/app/features/*/index.server.ts', { eager: true });

/** What a face exports and a visitor may call, or that is no operation, each with its reason. */
const OPEN: Readonly<Record<string, string>> = {};

type Operation = (ctx: Ctx, ...input: unknown[]) => unknown;

const operations = Object.entries(FACES).flatMap(([file, face]) =>
  Object.entries(face)
    .filter((entry): entry is [string, Operation] => typeof entry[1] === 'function')
    .map(([name, run]) => ({ room: file.split('/')[3] ?? file, name, run })),
);

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('no face lets a visitor in', () => {
  it.each(operations.filter(({ name }) => !(name in OPEN)))('$room: $name', async ({ run }) => {
    const called = Promise.resolve().then(() => run(database.ctx(), {}, {}, {}));
    const error: unknown = await called.then(
      () => 'it answered a visitor',
      (thrown: unknown) => thrown,
    );
    expect(isAppError(error) ? error.code : error).toBe('UNAUTHENTICATED');
  });

  it('lists nothing as open that no face exports', () => {
    const names = operations.map(({ name }) => name);
    expect(Object.keys(OPEN).filter((name) => !names.includes(name))).toEqual([]);
  });
});
