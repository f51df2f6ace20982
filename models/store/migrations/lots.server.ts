import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import { lotKeys, lotOfVial } from '#app/domain/lots/lot.ts';
import type { Migration } from './steps.server.ts';

const PIECE = 200;

/** The lots as this migration writes them. */
interface LotDocument {
  _id: string;
  supplierId: string | null;
}

/** A lot that an order or a vial names. */
interface Mention {
  userId: string;
  product: string;
  number: string;
  supplierId: string | null;
  supplierName: string | null;
  expirationDate: string | null;
  orderId: string | null;
  createdAt: Date;
}

/** The same lot always gets the same id, so that repeating a piece creates nothing twice. */
function idOf({ userId, number, product, supplierId }: Mention): string {
  const { numberKey, productKey } = lotKeys({ number, product });
  const digest = createHash('sha256').update(JSON.stringify([userId, numberKey, productKey, supplierId]));
  return `lot_${digest.digest('hex').slice(0, 24)}`;
}

/** Finds the lot or creates it. @returns its id */
async function ensureLot(connection: Connection, mention: Mention): Promise<string> {
  const { userId, number, product, supplierId } = mention;
  const lots = connection.collection<LotDocument>('lots');
  const keys = lotKeys({ number, product });
  const known = lotOfVial(await lots.find({ userId, ...keys }).toArray(), supplierId);
  if (known !== null) return known._id;
  const _id = idOf(mention);
  const untested = {
    purityPercent: null,
    netContentMg: null,
    identityMethod: null,
    laboratory: null,
    testedOn: null,
    reportKey: null,
    reportUrl: null,
  };
  const { userId: _owner, ...facts } = mention;
  const row = { ...facts, ...keys, supplierKey: supplierId ?? '', ...untested, notes: null };
  const first = { ...row, papers: [], formerVials: [] };
  await lots.updateOne({ userId, _id }, { $setOnInsert: first }, { upsert: true });
  return _id;
}

interface OrderDocument {
  _id: string;
  userId: string;
  supplierId: string;
  supplierName: string;
  lines: { name: string; lot: string | null; expirationDate: string | null }[];
  createdAt: Date;
}

/** Creates lots from received orders, which hold more details than vials. */
async function ordersPiece(connection: Connection, after: string) {
  const found = await connection
    .collection<OrderDocument>('orders')
    .find({ _id: { $gt: after }, state: 'received' })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  for (const { _id: orderId, userId, supplierId, supplierName, lines, createdAt } of found) {
    for (const { name: product, lot: number, expirationDate } of lines) {
      if (!number) continue;
      const supplier = { supplierId, supplierName };
      await ensureLot(connection, {
        userId,
        product,
        number,
        ...supplier,
        expirationDate,
        orderId,
        createdAt,
      });
    }
  }
  return found.at(-1)?._id ?? null;
}

interface VialDocument {
  _id: string;
  userId: string;
  name: string;
  lot: string | null;
  supplierId: string | null;
  createdAt: Date;
}

async function vialsPiece(connection: Connection, after: string) {
  const vials = connection.collection<VialDocument>('compounds');
  const found = await vials
    .find({ _id: { $gt: after }, lot: { $gt: '' }, lotId: null })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const suppliers = connection.collection<{ _id: string; name: string }>('suppliers');
  for (const { _id, userId, name: product, lot, supplierId, createdAt } of found) {
    const number = lot ?? '';
    const supplier = supplierId === null ? null : await suppliers.findOne({ _id: supplierId, userId });
    const of = { supplierId, supplierName: supplier?.name ?? null };
    const rest = { expirationDate: null, orderId: null, createdAt };
    const lotId = await ensureLot(connection, { userId, product, number, ...of, ...rest });
    // Only if unchanged since it was read: someone may have entered another lot.
    const same = { _id, userId, lot, name: product, lotId: null };
    await vials.updateOne(same, { $set: { lotId } });
  }
  return { last: found.at(-1)?._id ?? null, changed: found.length };
}

interface DoseDocument {
  _id: string;
  userId: string;
  round: number;
  draws: { compoundId: string }[];
}

/** Records which vials the taken doses were drawn from. */
async function dosesPiece(connection: Connection, after: string) {
  const found = await connection
    .collection<DoseDocument>('doses')
    .find({ _id: { $gt: after }, status: 'taken', 'draws.0': { $exists: true } })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const rows = found.flatMap(({ _id: doseId, userId, round, draws }) =>
    [...new Set(draws.map(({ compoundId }) => compoundId))].map((compoundId) => {
      return { _id: `${doseId}:${round}:${compoundId}`, userId, compoundId, doseId, round };
    }),
  );
  const notes = connection.collection<{ _id: string; userId: string }>('dose_draws');
  const writes = rows.map(({ _id, userId, ...row }) => ({
    updateOne: { filter: { userId, _id }, update: { $setOnInsert: row }, upsert: true },
  }));
  if (writes.length > 0) await notes.bulkWrite(writes, { ordered: false });
  return { last: found.at(-1)?._id ?? null, changed: 0 };
}

const DOSES = 'doses ';
const ORDERS = 'orders ';
const VIALS = 'vials ';

/** Turns the lot texts on vials and orders into lots, and links each vial to its lot. */
export const lotsFromTexts: Migration = {
  id: '2026-11-23-lots',
  description: 'Creates lots from the lot numbers on vials and orders',
  once: 'people may have deleted lots that it made',
  async step(connection, cursor) {
    if (cursor === null || cursor.startsWith(DOSES)) {
      const { last, changed } = await dosesPiece(connection, (cursor ?? DOSES).slice(DOSES.length));
      return { cursor: last === null ? ORDERS : `${DOSES}${last}`, changed };
    }
    if (cursor.startsWith(ORDERS)) {
      const last = await ordersPiece(connection, cursor.slice(ORDERS.length));
      return { cursor: last === null ? VIALS : `${ORDERS}${last}`, changed: 0 };
    }
    const { last, changed } = await vialsPiece(connection, cursor.slice(VIALS.length));
    return last === null ? null : { cursor: `${VIALS}${last}`, changed };
  },
};
