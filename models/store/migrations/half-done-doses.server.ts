import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import { isSite } from '#app/domain/tracking/sites.ts';
import { giveBack, takeFrom } from '#app/domain/vials/stock.ts';
import { isFinal, type VialWithLedger } from '#app/domain/vials/vial.ts';
import { createVialRepository } from '#models/vials/vial.server.ts';
import { createInjectionSiteRepository } from '#models/tracking/injection-site.server.ts';
import { transactionsOf } from '#models/store/transaction.server.ts';
import { anyOf, type Migration } from './steps.server.ts';

/** Half-done changes, and doses whose fields are removed, at a time. */
const PIECE = 200;
const DOSES_AT_ONCE = 1000;

/** A dose as earlier versions stored it. */
interface DoseDocument {
  _id: string;
  userId: string;
  scheduleId: string | null;
  scheduleRevision: number;
  name: string;
  dueDate: Date;
  status: string;
  takenAt: Date | null;
  actualDose: string | null;
  doseUnit: DoseUnit;
  site: string | null;
  round: number;
  draws: { compoundId: string; mg: string; component?: number }[];
  actedAt?: Date | null;
  version: number;
  /** False between a change of the dose and its last consequence. */
  stockDone?: boolean;
  /** It was created when it was taken, and is being removed. */
  undoing?: boolean;
}

const dosesOf = (connection: Connection) => connection.collection<DoseDocument>('doses');

/** A schedule's fields that decide about its doses. */
interface ScheduleDocument {
  _id: string;
  userId: string;
  isActive: boolean;
  endsWithVial?: boolean;
  revision: number;
  madeUntil: Date;
}

/** Has the worker go over some schedules: it makes their doses, and updates their dates. */
async function remake(connection: Connection, which: Partial<ScheduleDocument>): Promise<void> {
  const schedules = connection.collection<ScheduleDocument>('schedules');
  await schedules.updateMany({ ...which, isActive: true }, { $set: { madeUntil: new Date() } });
}

/** Changes a vial, and the schedules that end with it. */
async function changeVial(
  connection: Connection,
  userId: string,
  id: string,
  change: (vial: VialWithLedger) => VialWithLedger,
): Promise<void> {
  const compounds = createVialRepository(connection);
  await transactionsOf(connection)(async () => {
    const before = await compounds.findWithSlot(userId, id);
    const after = before === null ? null : change(before.vial);
    if (before === null || after === null || after === before.vial) return;
    const returns = isFinal(before.vial) && !isFinal(after);
    await compounds.replace(before.vial, after, returns ? id : before.slot);
  });
  // Even if nothing changed: the process that changed it may have been killed before this.
  await remake(connection, { userId, endsWithVial: true });
}

/** The id of the entry of a dose in the site log. */
function siteEntryId({ userId, _id }: DoseDocument): string {
  const digest = createHash('sha256').update(`${userId}\ndose ${_id}`).digest('hex');
  return `site_${digest.slice(0, 24)}`;
}

async function finishSite(connection: Connection, dose: DoseDocument, isTaken: boolean): Promise<void> {
  const { userId, site, takenAt, name, actualDose, doseUnit, draws } = dose;
  const sites = createInjectionSiteRepository(connection);
  const id = siteEntryId(dose);
  if (!isTaken || site === null || !isSite(site) || takenAt === null)
    return void (await sites.delete(userId, id));
  await sites.put({
    ...{ _id: id, userId, site, takenAt, name, dose: actualDose, doseUnit, doseId: dose._id },
    ...{ compoundId: draws[0]?.compoundId ?? null, volume: null, createdAt: new Date() },
  });
}

/** Whether the schedule of an undone dose no longer has it. An active one decides about that itself. */
async function isDropped(connection: Connection, dose: DoseDocument): Promise<boolean> {
  if (dose.status !== 'pending' || dose.scheduleId === null || dose.dueDate <= new Date()) return false;
  const schedules = connection.collection<ScheduleDocument>('schedules');
  const schedule = await schedules.findOne({ _id: dose.scheduleId, userId: dose.userId });
  return schedule?.isActive !== true && schedule?.revision !== dose.scheduleRevision;
}

/** Writes what is missing of a change: stock, site log, reminders and schedule. Repeating it changes nothing. */
async function finish(connection: Connection, dose: DoseDocument): Promise<void> {
  const { _id, userId, scheduleId, status, draws, round, version } = dose;
  const isRemoved = dose.undoing === true;
  const isTaken = status === 'taken' && !isRemoved;
  const at = dose.takenAt ?? dose.actedAt ?? new Date();
  for (const { compoundId, mg, component } of draws) {
    const id = `${_id}:${round}:${compoundId}`;
    await changeVial(connection, userId, compoundId, (vial) =>
      isTaken ? takeFrom(vial, { id, mg, component, at }) : giveBack(vial, { id, at, reason: 'Dose undone' }),
    );
  }
  await finishSite(connection, dose, isTaken);
  if (!isTaken)
    await connection.collection('dose_draws').deleteMany({ userId, doseId: _id, round: { $lte: round } });
  if (status !== 'pending')
    await connection
      .collection('reminders')
      .updateMany({ userId, doseId: _id, isRead: false }, { $set: { isRead: true } });
  if (scheduleId !== null) await remake(connection, { _id: scheduleId, userId });
  const doses = dosesOf(connection);
  const same = { userId, _id, version };
  // Not if its owner has changed it since it was read: then it is read again.
  if (isRemoved || (await isDropped(connection, dose))) await doses.deleteOne(same);
  else await doses.updateOne(same, { $set: { stockDone: true, ...(!isTaken && { draws: [] }) } });
}

const OPEN = 'open';
const FIELDS = 'fields ';

/** Removes the fields, a piece at a time. A process of an earlier version may be in the middle of a change. */
async function unsetPiece(connection: Connection, after: string) {
  const doses = dosesOf(connection);
  const rows = await doses
    .find({ _id: { $gt: after } })
    .project<{ _id: string; userId: string }>({ userId: 1 })
    .sort({ _id: 1 })
    .limit(DOSES_AT_ONCE)
    .toArray();
  const last = rows.at(-1)?._id;
  if (last === undefined) return null;
  const range = {
    userId: anyOf(rows, 'userId'),
    _id: { $gt: after, $lte: last },
    stockDone: { $ne: false },
  };
  const { modifiedCount } = await doses.updateMany(range, { $unset: { stockDone: 1, undoing: 1 } });
  return { cursor: `${FIELDS}${last}`, changed: modifiedCount };
}

const OLD_INDEX = 'stockDone_1_actedAt_1';

/** Removes what the step that finished interrupted changes has left: its index and its last run. */
async function clearStep(connection: Connection): Promise<void> {
  const [collection] = (await connection.db?.listCollections({ name: 'doses' }).toArray()) ?? [];
  const indexes = collection === undefined ? [] : await dosesOf(connection).indexes();
  if (indexes.some(({ name }) => name === OLD_INDEX)) await dosesOf(connection).dropIndex(OLD_INDEX);
  await connection.collection<{ _id: string }>('job_runs').deleteOne({ _id: 'finish-doses' });
}

/**
 * Finishes changes of doses that earlier versions were interrupted in, and removes the fields that marked them. A webhook event
 * about such a change is not sent any more; the worker of those versions did so within a minute.
 */
export const halfDoneDoses: Migration = {
  id: '2026-11-27-half-done-doses',
  description: 'Finishes interrupted changes of doses and removes their marks',
  // The fields that are left in finished doses are not read.
  inBackground: (cursor) => cursor?.startsWith(FIELDS) === true,
  async step(connection, cursor) {
    if (cursor === null || cursor === OPEN) {
      const open = await dosesOf(connection)
        .find({ stockDone: false })
        .sort({ actedAt: 1 })
        .limit(PIECE)
        .toArray();
      for (const dose of open) await finish(connection, dose);
      if (open.length > 0) return { cursor: OPEN, changed: open.length };
    }
    const after = cursor?.startsWith(FIELDS) ? cursor.slice(FIELDS.length) : '';
    const piece = await unsetPiece(connection, after);
    if (piece === null) await clearStep(connection);
    return piece;
  },
};
