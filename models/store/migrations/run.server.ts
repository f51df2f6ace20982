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
import { moreUpdateTimes, updateTimes } from './update-times.server.ts';
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
  moreUpdateTimes,
];

/** Times of the lease, in ms; tests shorten them. */
interface MigrationTimes {
  /** How long a process that has gone silent keeps others from taking over. */
  leaseMs: number;
  /** How often a waiting process checks again. */
  pauseMs: number;
}

const TIMES: MigrationTimes = { leaseMs: 60_000, pauseMs: 500 };

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

/** Runs pieces until none is left. @returns false when the lease was lost meanwhile */
async function goOn(
  connection: Connection,
  migration: Migration,
  by: string,
  times: MigrationTimes,
): Promise<boolean> {
  const rows = rowsOf(connection);
  const mine = { _id: migration.id, claim: by };
  for (;;) {
    const row = await rows.findOne(mine).lean();
    if (row === null) return false;
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

async function runOne(connection: Connection, log: Log, migration: Migration, times: MigrationTimes) {
  const rows = rowsOf(connection);
  const by = randomUUID();
  for (;;) {
    if ((await rows.findOne({ _id: migration.id }).lean())?.doneAt) return;
    if (await claim(rows, migration.id, by, times)) {
      log.info({ migration: migration.id }, 'migration runs');
      if (await goOn(connection, migration, by, times)) {
        log.info({ migration: migration.id }, 'migration done');
        return;
      }
    }
    await wait(times.pauseMs);
  }
}

/**
 * Runs pending migrations in order; resolves when all are done, by whichever process. Only one process works on
 * a migration at a time: others wait, and continue where it stopped if it is killed.
 */
export async function runMigrations(
  connection: Connection,
  log: Log,
  migrations: readonly Migration[] = MIGRATIONS,
  times: MigrationTimes = TIMES,
): Promise<void> {
  for (const migration of migrations) await runOne(connection, log, migration, times);
}

/** True as long as there are no accounts, so that there can be no data of an older version. */
export async function isUnused(connection: Connection): Promise<boolean> {
  return (await connection.collection('users').findOne({}, { projection: { _id: 1 } })) === null;
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

/** The progress of migrations. They have no owner. */
export function createMigrationStatus(connection: Connection, migrations: readonly Migration[] = MIGRATIONS) {
  return {
    /** All migrations of this version, in order. */
    async list(): Promise<MigrationStatus[]> {
      const found = await rowsOf(connection).find({}).limit(1000).lean();
      return migrations.map(({ id, description }) => {
        const row = found.find(({ _id }) => _id === id);
        const state = row === undefined ? 'waiting' : row.doneAt ? 'done' : 'running';
        return { id, description, state, changed: row?.changed ?? 0, doneAt: row?.doneAt ?? null };
      });
    },
  };
}
