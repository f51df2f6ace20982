import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#app/domain/errors.ts';
import { runOnce } from '#app/platform/idempotency/idempotency.server.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import type { Repositories } from '#models/index.server.ts';
import { newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

const call = (key: string, more: object = {}) => ({ key, fingerprint: 'f', keepsAnswer: true, ...more });

/** Counts its runs; each returns its number. */
function counter() {
  let runs = 0;
  return { run: () => Promise.resolve((runs += 1)), count: () => runs };
}

describe('a write with a key', () => {
  it('runs once, and repeats its response', async () => {
    const { ctx } = await newPerson(db, 'once@example.org');
    const { run, count } = counter();
    expect(await runOnce(ctx, call('a'), run)).toEqual({ answer: 1, isRepeated: false });
    expect(await runOnce(ctx, call('a'), run)).toEqual({ answer: 1, isRepeated: true });
    expect(await runOnce(ctx, call('b'), run)).toEqual({ answer: 2, isRepeated: false });
    expect(count()).toBe(2);
  });

  it('runs once for twenty simultaneous calls', async () => {
    const { ctx } = await newPerson(db, 'race@example.org');
    const { run, count } = counter();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => runOnce(ctx, call('r'), run)));
    expect(count()).toBe(1);
    for (const result of results) {
      if (result.status === 'fulfilled') expect(result.value.answer).toBe(1);
      else expect(result.reason).toMatchObject({ conflict: 'KEY_IN_USE', retryAfterSeconds: 1 });
    }
  });

  it('is separate from the same key of another user', async () => {
    const { run, count } = counter();
    for (const name of ['mine', 'yours'])
      await runOnce((await newPerson(db, `${name}@example.org`)).ctx, call('same'), run);
    expect(count()).toBe(2);
  });

  it('rejects the key for another request', async () => {
    const { ctx } = await newPerson(db, 'other-request@example.org');
    await runOnce(ctx, call('k'), counter().run);
    await expect(runOnce(ctx, call('k', { fingerprint: 'g' }), counter().run)).rejects.toMatchObject({
      conflict: 'KEY_REUSED',
    });
  });

  it('leaves the key free after a failure', async () => {
    const { ctx } = await newPerson(db, 'fails@example.org');
    const fail = () => Promise.reject(new Error('no'));
    await expect(runOnce(ctx, call('f'), fail)).rejects.toThrow('no');
    expect(await runOnce(ctx, call('f'), counter().run)).toEqual({ answer: 1, isRepeated: false });
  });

  it('frees the key, and keeps the answer, once the database is back', async () => {
    let isAway = false;
    const away = () => new AppError('DATABASE_UNAVAILABLE', 'The database cannot be reached.');
    const outage = (repos: Repositories): Repositories => {
      const { idempotentCalls: calls } = repos;
      const unlessAway =
        <Args extends unknown[]>(write: (...args: Args) => Promise<void>) =>
        (...args: Args) =>
          isAway ? Promise.reject(away()) : write(...args);
      const watched = { ...calls, finish: unlessAway(calls.finish), release: unlessAway(calls.release) };
      return { ...repos, idempotentCalls: watched };
    };
    const other = await openTestDatabase({ watched: outage });
    try {
      const { ctx } = await newPerson(other, 'election@example.org');
      const { run, count } = counter();
      const during = (work: () => Promise<number>) => () => ((isAway = true), work());
      const failed = runOnce(
        ctx,
        call('away'),
        during(() => Promise.reject(away())),
      );
      await expect(failed).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
      isAway = false;
      const again = () =>
        runOnce(ctx, call('away'), run).catch((error: { conflict: string }) => error.conflict);
      await expect.poll(again).toEqual({ answer: 1, isRepeated: false });

      expect(await runOnce(ctx, call('done'), during(run))).toEqual({ answer: 2, isRepeated: false });
      isAway = false;
      const repeated = () =>
        runOnce(ctx, call('done'), run).catch((error: { conflict: string }) => error.conflict);
      await expect.poll(repeated).toEqual({ answer: 2, isRepeated: true });
      expect(count()).toBe(2);
    } finally {
      await other.dispose();
    }
  });

  it('stores no secret, and says that it was done', async () => {
    const { ctx } = await newPerson(db, 'secret@example.org');
    const { run, count } = counter();
    const secret = call('s', { keepsAnswer: false });
    expect((await runOnce(ctx, secret, run)).answer).toBe(1);
    await expect(runOnce(ctx, secret, run)).rejects.toMatchObject({ conflict: 'SECRET_NOT_KEPT' });
    expect(count()).toBe(1);
  });

  it('may run again a minute after an interruption, and after a day', async () => {
    const { ctx } = await newPerson(db, 'cut-off@example.org');
    const { run, count } = counter();
    await new Promise<void>((resolve) => {
      const never = () => new Promise<number>(() => resolve());
      void runOnce(ctx, call('c'), never);
    });
    const settled = () => runOnce(ctx, call('c'), run).catch((error: { conflict: string }) => error.conflict);
    expect(await settled()).toBe('KEY_IN_USE');
    db.clock.advance(61_000);
    expect(await settled()).toEqual({ answer: 1, isRepeated: false });
    db.clock.advance(23 * 3_600_000);
    expect(await settled()).toEqual({ answer: 1, isRepeated: true });
    db.clock.advance(3_600_000);
    expect(await settled()).toEqual({ answer: 2, isRepeated: false });
    expect(count()).toBe(2);
  });
});
