import { Schema, trusted, type Connection, type Model } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  accountFields,
  auditNames,
  calculationTallies,
  confirmedAddresses,
  type Migration,
  rampsInCourses,
  unusedAddresses,
} from './steps.server.ts';
import { billingAsReported } from './billing.server.ts';
import { halfDoneDoses } from './half-done-doses.server.ts';
import { lotsFromTexts } from './lots.server.ts';
import { unusedIndexes } from './unused-indexes.server.ts';
import { moreUpdateTimes, updateTimes } from './update-times.server.ts';
import { accountStandings } from './account-standings.server.ts';
import { stockChecks } from './stock-checks.server.ts';
import { searchableAddresses } from './searchable-addresses.server.ts';
import type { Log } from '#app/domain/log.ts';
import { isDuplicateKey } from '#models/store/writes.server.ts';
import { modelOf } from '#models/store/model-of.server.ts';

/** A document of `migrations`, keyed by the id of a migration: how far it has come. */
interface MigrationRow {
  _id: string;
  startedAt: Date;
  /** Set when it is complete; it is never run again. */
  doneAt: Date | null;
  /** Where the next piece begins; null before the first. */
  cursor: string | null;
  /** Documents changed so far. */
  changed: number;
  /** Who runs it, and until when nobody else does. */
  claim: string;
  claimedUntil: Date;
}

const migrationSchema = new Schema<MigrationRow>(
  {
    _id: { type: String, required: true },
    startedAt: { type: Date, required: true },
    doneAt: { type: Date, default: null },
    cursor: { type: String, default: null },
    changed: { type: Number, required: true },
    claim: { type: String, required: true },
    claimedUntil: { type: Date, required: true },
  },
  { collection: 'migrations' },
);

export type { Migration, MigrationStep } from './steps.server.ts';

/** All migrations in the order in which they run. Add new ones at the end only. */
export const MIGRATIONS: readonly Migration[] = [
  accountFields,
  calculationTallies,
  auditNames,
  confirmedAddresses,
  rampsInCourses,
  lotsFromTexts,
  unusedAddresses,
  billingAsReported,
  halfDoneDoses,
  updateTimes,
  searchableAddresses,
  stockChecks,
  moreUpdateTimes,
  ...unusedIndexes,
  accountStandings,
];

/** Times of the lease, in ms; tests shorten them. */
interface MigrationTimes {
  /** How long a process that has gone silent keeps others from taking over. */
  leaseMs: number;
  /** How often a waiting process checks again. */
  pauseMs: number;
}

const TIMES: MigrationTimes = { leaseMs: 60_000, pauseMs: 500 };

/** Whether what follows a cursor can wait until the program serves. */
const canWait = ({ inBackground }: Migration, cursor: string | null): boolean =>
  inBackground?.(cursor) === true;

type Rows = Model<MigrationRow>;
const rowsOf = (connection: Connection): Rows =>
  modelOf<MigrationRow>(connection, 'Migration', migrationSchema);

/** Claims a migration. @returns false when another process runs it, or it is done */
async function claim(rows: Rows, id: string, by: string, { leaseMs }: MigrationTimes): Promise<boolean> {
  const now = new Date();
  const taken = { claim: by, claimedUntil: new Date(now.getTime() + leaseMs) };
  const first = { startedAt: now, cursor: null, changed: 0 };
  try {
    const free = { _id: id, doneAt: null, claimedUntil: trusted({ $lte: now }) };
    const { upsertedCount, matchedCount } = await rows.updateOne(
      free,
      { $set: taken, $setOnInsert: first },
      { upsert: true },
    );
    return upsertedCount + matchedCount > 0;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Who runs migrations: before the program serves, or beside it, until it is told to stop. */
interface Runner {
  times: MigrationTimes;
  isBeside: boolean;
  stopping?: AbortSignal | undefined;
}

/**
 * Runs pieces until none is left.
 * @returns false when the lease was lost meanwhile, and when the rest can wait or has to
 */
async function goOn(
  connection: Connection,
  migration: Migration,
  by: string,
  { times, isBeside, stopping }: Runner,
): Promise<boolean> {
  const rows = rowsOf(connection);
  const mine = { _id: migration.id, claim: by };
  for (;;) {
    const row = await rows.findOne(mine).lean();
    if (row === null) return false;
    if (stopping?.aborted === true || (!isBeside && canWait(migration, row.cursor))) {
      await rows.updateOne(mine, { $set: { claimedUntil: new Date() } });
      return false;
    }
    const step = await migration.step(connection, row.cursor);
    const change =
      step === null
        ? // Where it stopped may be the id or the address of a person who leaves later.
          { $set: { doneAt: new Date(), cursor: null } }
        : {
            $set: { cursor: step.cursor, claimedUntil: new Date(Date.now() + times.leaseMs) },
            $inc: { changed: step.changed },
          };
    // The process that took over repeats this piece, with the same result.
    if ((await rows.updateOne(mine, change)).matchedCount === 0) return false;
    if (step === null) return true;
  }
}

async function runOne(connection: Connection, log: Log, migration: Migration, runner: Runner) {
  const { times, isBeside, stopping } = runner;
  const rows = rowsOf(connection);
  const by = randomUUID();
  while (stopping?.aborted !== true) {
    const row = await rows.findOne({ _id: migration.id }).lean();
    if (row?.doneAt) return;
    if (row !== null && !isBeside && canWait(migration, row.cursor)) return;
    if (await claim(rows, migration.id, by, times)) {
      if (isBeside || !canWait(migration, row?.cursor ?? null))
        log.info({ migration: migration.id }, 'migration runs');
      if (await goOn(connection, migration, by, runner)) {
        log.info({ migration: migration.id }, 'migration done');
        return;
      }
    } else await wait(times.pauseMs);
  }
}

/**
 * Runs pending migrations in order; resolves when all are done, by whichever process, except for what can wait until the
 * program serves. Only one process works on a migration at a time: others wait, and continue where it stopped if it is killed.
 */
export async function runMigrations(
  connection: Connection,
  log: Log,
  migrations: readonly Migration[] = MIGRATIONS,
  times: MigrationTimes = TIMES,
): Promise<void> {
  for (const migration of migrations) await runOne(connection, log, migration, { times, isBeside: false });
}

/** True as long as there are no accounts, so that there can be no data of an older version. */
export async function isUnused(connection: Connection): Promise<boolean> {
  return (await connection.collection('users').findOne({}, { projection: { _id: 1 } })) === null;
}

/**
 * Whether a migration that runs beside the program has still to convert some of the data. A store that this version has
 * made has nothing to convert, and no note of it.
 */
export async function isUnderWay(connection: Connection, { id }: Pick<Migration, 'id'>): Promise<boolean> {
  const row = await rowsOf(connection).findOne({ _id: id }, { doneAt: 1 }).lean();
  return row !== null && !row.doneAt;
}

/** A migration's progress. */
export interface MigrationStatus {
  id: string;
  description: string;
  state: 'waiting' | 'running' | 'done';
  /** Documents changed so far. */
  changed: number;
  doneAt: Date | null;
}

function stateOf(row: MigrationRow | undefined): MigrationStatus['state'] {
  if (row === undefined || (row.cursor === null && row.changed === 0 && !row.doneAt)) return 'waiting';
  return row.doneAt ? 'done' : 'running';
}

/** The progress of migrations. They have no owner. */
export function createMigrationStatus(connection: Connection, migrations: readonly Migration[] = MIGRATIONS) {
  return {
    /** How many this version knows; an older version knows fewer. */
    known: () => migrations.length,

    /** All migrations of this version, in order. */
    async list(): Promise<MigrationStatus[]> {
      const found = await rowsOf(connection).find({}).limit(1000).lean();
      return migrations.map(({ id, description }) => {
        const row = found.find(({ _id }) => _id === id);
        return {
          id,
          description,
          state: stateOf(row),
          changed: row?.changed ?? 0,
          doneAt: row?.doneAt ?? null,
        };
      });
    },

    /**
     * Runs what the start left for later, beside everything else. Of several processes one works on each migration.
     * @returns how many migrations are done now that were not
     */
    async finish(log: Log, stopping?: AbortSignal, times = TIMES): Promise<number> {
      const open = await rowsOf(connection).find({ doneAt: null }, { _id: 1 }).limit(1000).lean();
      const ids = new Set(open.map(({ _id }) => _id));
      let done = 0;
      for (const migration of migrations.filter(({ id }) => ids.has(id))) {
        await runOne(connection, log, migration, { times, isBeside: true, stopping });
        if (stopping?.aborted === true) return done;
        done += 1;
      }
      return done;
    },

    /**
     * Runs migrations a second time for what processes of older versions have written since. To be called once none of them is
     * left. Migrations that are to run only once are left out.
     * @returns how many had their second run
     */
    async repeat(log: Log, stopping?: AbortSignal, times = TIMES): Promise<number> {
      const rows = await rowsOf(connection)
        .find({ doneAt: trusted({ $ne: null }) }, { _id: 1 })
        .limit(1000)
        .lean();
      const done = new Set(rows.map(({ _id }) => _id));
      let repeated = 0;
      for (const { once, ...migration } of migrations) {
        const id = `${migration.id} again`;
        if (once !== undefined || !done.has(migration.id) || done.has(id)) continue;
        await runOne(connection, log, { ...migration, id }, { times, isBeside: true, stopping });
        if (stopping?.aborted === true) return repeated;
        repeated += 1;
      }
      return repeated;
    },
  };
}
