import { Schema, type Model } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SILENT_LOG } from '#app/domain/log.ts';
import { conflict } from '#app/domain/errors.ts';
import { conflict as inTheWay } from '#tests/support/conflicts.ts';
import { parseSettings } from '#app/domain/settings/settings.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openDatabase } from '#models/index.server.ts';
import { insertMissing, insertUnlessTaken } from '#models/store/writes.server.ts';
import { openTestDatabase, testConnection, type TestDatabase } from '#tests/support/database.ts';
import { startMongod, type RealServer } from '#tests/support/replica-set.ts';
import { isFullSize } from '#tests/support/size.ts';
import { reposOf } from '#tests/support/repositories.ts';

const SECRET = 'a secret for databases that are dropped afterwards';

/** A document that acts read and then change. */
interface Tally {
  _id: string;
  userId?: string;
  count: number;
}

it('an act that cannot be done for now holds up none that could', async () => {
  const db = await openTestDatabase();
  try {
    const { transaction } = db.ctx();
    const tries = { blocked: 0, other: 0 };
    let isBlocked = true;
    const blocked = transaction(async () => {
      tries.blocked += 1;
      if (isBlocked) throw inTheWay();
    });
    await expect.poll(() => tries.blocked).toBeGreaterThan(2);
    await transaction(async () => {
      tries.other += 1;
      if (tries.other === 1) throw inTheWay();
    });
    expect(tries.other).toBe(2);
    isBlocked = false;
    await blocked;
  } finally {
    await db.dispose();
  }
});

describe.runIf(isFullSize)('an act on a real replica set', () => {
  let server: RealServer;
  let db: TestDatabase;
  let ctx: Ctx;
  let tallies: Model<Tally>;

  beforeAll(async () => {
    server = await startMongod();
    db = await openTestDatabase({ env: { MONGODB_URI: server.uri('acts'), SESSION_SECRET: SECRET } });
    const schema = new Schema<Tally>({ _id: String, userId: String, count: Number }, { versionKey: false });
    tallies = testConnection(db).model<Tally>('Tally', schema);
  }, 120_000);
  afterAll(async () => {
    await db?.dispose();
    await server?.dispose();
  });
  beforeEach(async () => {
    await server.admin({ configureFailPoint: 'failCommand', mode: 'off' });
    await tallies.deleteMany({});
    ctx = db.ctx();
  });

  /** Has the server refuse some commands. */
  const fail = (mode: string | { times: number }, data: object) =>
    server.admin({ configureFailPoint: 'failCommand', mode, data });
  const CONFLICT = { errorCode: 112, errorLabels: ['TransientTransactionError'] };

  const keep = (email: string) => reposOf(ctx).demoInterest.keep(email, ctx.now());
  const counts = async () => (await tallies.find().sort({ _id: 1 }).lean()).map(({ count }) => count);

  it('leaves everything it wrote, or nothing', async () => {
    const result = await ctx.transaction(async () => {
      await keep('whole@example.org');
      await tallies.create({ _id: 'whole', count: 1 });
      return 'done';
    });
    expect(result).toBe('done');
    const failed = ctx.transaction(async () => {
      await keep('half@example.org');
      await tallies.create({ _id: 'half', count: 1 });
      throw conflict('WRONG_STATE', 'no');
    });
    await expect(failed).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await counts()).toEqual([1]);
    expect(await keep('whole@example.org')).toBe(false);
    expect(await keep('half@example.org')).toBe(true);
  });

  it('sees what it wrote, in lists and streams, while nobody else does', async () => {
    let isWritten = () => undefined as void;
    let mayEnd = () => undefined as void;
    const written = new Promise<void>((resolve) => (isWritten = resolve));
    const end = new Promise<void>((resolve) => (mayEnd = resolve));
    const act = ctx.transaction(async () => {
      await tallies.create({ _id: 'mine', count: 7 });
      const own = await counts();
      const streamed: number[] = [];
      for await (const { count } of tallies.find().lean().cursor()) streamed.push(count);
      isWritten();
      await end;
      return { own, streamed };
    });
    await written;
    expect(await counts()).toEqual([]);
    mayEnd();
    expect(await act).toEqual({ own: [7], streamed: [7] });
    expect(await counts()).toEqual([7]);
  });

  it('joins the act that it is part of', async () => {
    const outer = ctx.transaction(async () => {
      await tallies.create({ _id: 'outer', count: 1 });
      await ctx.transaction(() => tallies.create({ _id: 'inner', count: 2 }));
      expect(await counts()).toEqual([2, 1]);
      throw new Error('changed my mind');
    });
    await expect(outer).rejects.toThrow('changed my mind');
    expect(await counts()).toEqual([]);
  });

  it('loses no change to another one that runs at the same time', async () => {
    await tallies.create({ _id: 'shared', count: 0 });
    const add = () =>
      ctx.transaction(async () => {
        const found = await tallies.findOne({ _id: 'shared' }).lean();
        await tallies.updateOne({ _id: 'shared' }, { $set: { count: (found?.count ?? 0) + 1 } });
      });
    await Promise.all(Array.from({ length: 32 }, add));
    expect(await counts()).toEqual([32]);
  });

  it.each([
    ['its first command is refused', ['find'], CONFLICT, 2],
    ['a write is refused', ['insert'], CONFLICT, 2],
    ['its commit is refused', ['commitTransaction'], CONFLICT, 2],
    ['its connection breaks', ['insert'], { closeConnection: true }, 2],
    ['the answer to its commit is lost', ['commitTransaction'], { closeConnection: true }, 1],
  ])('is done once when %s', async (_, failCommands, failure, runs) => {
    let begun = 0;
    await fail({ times: 1 }, { failCommands, ...failure });
    await ctx.transaction(async () => {
      begun += 1;
      const known = await counts();
      await tallies.create({ _id: 'once', count: known.length + 1 });
      await keep('once@example.org');
    });
    expect(begun).toBe(runs);
    expect(await counts()).toEqual([1]);
  });

  it('is given up after a while when others are always in the way, with the advice to try again', async () => {
    await fail('alwaysOn', { failCommands: ['update'], ...CONFLICT });
    const act = ctx.transaction(() => keep('never@example.org'));
    await expect(act).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryAfterSeconds: 1 });
    await server.admin({ configureFailPoint: 'failCommand', mode: 'off' });
    expect(await keep('never@example.org')).toBe(true);
  }, 60_000);

  it('goes on when what it would add exists already', async () => {
    await tallies.create({ _id: 'a', userId: 'ann', count: 1 });
    await ctx.transaction(async () => {
      expect(await insertUnlessTaken(tallies, { _id: 'a', userId: 'ann', count: 2 })).toBe(false);
      const rows = ['a', 'b'].map((_id) => ({ _id, userId: 'ann', count: 3 }));
      expect(await insertMissing(tallies, rows)).toBe(false);
      expect(await insertUnlessTaken(tallies, { _id: 'c', userId: 'ann', count: 4 })).toBe(true);
    });
    expect(await counts()).toEqual([1, 3, 4]);
  });

  it('ends with an error of the database that nobody expected, and leaves nothing', async () => {
    await tallies.create({ _id: 'there', count: 1 });
    const act = ctx.transaction(async () => {
      await tallies.create({ _id: 'new', count: 2 });
      await tallies.create({ _id: 'there', count: 3 });
    });
    await expect(act).rejects.toMatchObject({ code: 11_000 });
    expect(await counts()).toEqual([1]);
  });
});

it.runIf(isFullSize)(
  'a single server without transactions is refused at the start',
  async () => {
    const server = await startMongod({ isReplicaSet: false });
    try {
      const settings = parseSettings({ MONGODB_URI: server.uri('refused'), SESSION_SECRET: SECRET });
      await expect(openDatabase(settings, SILENT_LOG)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    } finally {
      await server.dispose();
    }
  },
  120_000,
);
