import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import { shardKeyOf } from '../shard-keys.ts';
import { anyOf, type Migration, type MigrationStep } from './steps.server.ts';

const PIECE = 500;

/** A subscription as older versions stored it: pieced together from events, with the times of these. */
interface FormerFact {
  status: string;
  observedAt?: Date;
  observedBy?: string;
  observedAs?: string;
  goodAt?: Date | null;
  failedAt?: Date[];
  userId?: string | null;
  [field: string]: unknown;
}

interface FormerBilling {
  _id: string;
  userId: string;
  version: number;
  state: { subscriptions: FormerFact[]; lastEventAt?: Date | null; [field: string]: unknown };
}

/**
 * The same subscription in the shape of Stripe's own description. The next event replaces it by what Stripe says; until then
 * the time when it was last heard of stands for that of its creation, which only orders subscriptions of one account.
 */
function reportOf({ observedAt, observedBy: _by, observedAs: _as, goodAt: _good, ...rest }: FormerFact) {
  const { failedAt = [], userId: _owner, ...fact } = rest;
  const isUnpaid = fact.status === 'past_due' || fact.status === 'unpaid';
  const since = failedAt[0] ?? observedAt;
  return { ...fact, createdAt: observedAt, unpaid: isUnpaid ? { since, amountCents: 0 } : null };
}

async function billingPiece(connection: Connection, after: string) {
  const billing = connection.collection<FormerBilling>('billing');
  const found = await billing
    .find({ _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  let changed = 0;
  for (const { _id, version, state } of found) {
    const { lastEventAt, ...rest } = state;
    const former = ({ createdAt, unpaid }: FormerFact) => createdAt === undefined || unpaid === undefined;
    if (lastEventAt === undefined && !state.subscriptions.some(former)) continue;
    const subscriptions = state.subscriptions.map((fact) => (former(fact) ? reportOf(fact) : fact));
    // Only if unchanged since it was read.
    const same = { userId: _id, _id, version };
    const result = await billing.updateOne(same, { $set: { state: { ...rest, subscriptions } } });
    changed += result.modifiedCount;
  }
  return { last: found.at(-1)?._id ?? null, changed };
}

/** Removes fields that only kept concurrent writers apart, which transactions do now. */
function withoutFields(collection: string, fields: readonly string[]) {
  return async (connection: Connection, after: string) => {
    const rows = connection.collection<{ _id: string; userId: string }>(collection);
    const isOwned = shardKeyOf(collection) === 'userId';
    const found = await rows
      .find({ _id: { $gt: after } })
      .project<{ _id: string; userId: string }>({ userId: 1 })
      .sort({ _id: 1 })
      .limit(PIECE)
      .toArray();
    const { modifiedCount } = await rows.updateMany(
      {
        ...(isOwned && { userId: anyOf(found, 'userId') }),
        _id: anyOf(found, '_id'),
        $or: fields.map((field) => ({ [field]: { $exists: true } })),
      },
      { $unset: Object.fromEntries(fields.map((field) => [field, ''])) },
    );
    return { last: found.at(-1)?._id ?? null, changed: modifiedCount };
  };
}

interface HalfReferral {
  _id: string;
  standing: string;
  creditedAt: Date | null;
  isSettled: boolean;
}

/** What a referral had before it was half changed. */
function wholeAgain({ standing, creditedAt, isSettled }: HalfReferral): object {
  if (isSettled) return {};
  if (standing === 'reversed')
    return { standing: creditedAt === null ? 'pending' : 'credited', reversedAt: null };
  return standing === 'credited' ? { standing: 'pending', creditedAt: null } : {};
}

/**
 * A referral whose accounts had not both been credited goes back to the status before. The event that changes it was not
 * marked as applied, so the provider delivers it again, and it is then credited wholly: what was given is not given twice,
 * because each grant has an id.
 */
async function referralsPiece(connection: Connection, after: string) {
  const referrals = connection.collection<HalfReferral>('referrals');
  const found = await referrals
    .find({ _id: { $gt: after }, isSettled: { $exists: true } })
    .project<HalfReferral>({ standing: 1, creditedAt: 1, isSettled: 1 })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const writes = found.map((row) => {
    const { _id, standing, isSettled } = row;
    const before = wholeAgain(row);
    const $set = Object.keys(before).length > 0 ? { $set: before } : {};
    const update = { ...$set, $unset: { isSettled: '' as const } };
    return { updateOne: { filter: { _id, standing, isSettled }, update } };
  });
  const result = writes.length === 0 ? null : await referrals.bulkWrite(writes);
  return { last: found.at(-1)?._id ?? null, changed: result?.modifiedCount ?? 0 };
}

interface ReferredAccount {
  _id: string;
  referredByCode: string;
  createdAt: Date;
}

/** A referral as this migration writes it. */
interface ReferralDocument {
  _id: string;
  userId: string;
  code: string;
  grantId: string;
  standing: string;
  createdAt: Date;
  creditedAt: null;
  reversedAt: null;
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Records the referrals of registrations that were interrupted before they did. */
async function placesPiece(connection: Connection, after: string) {
  const found = await connection
    .collection<ReferredAccount>('users')
    .find({ _id: { $gt: after }, referredByCode: { $gt: '' } })
    .project<ReferredAccount>({ referredByCode: 1, createdAt: 1 })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const codes = await connection
    .collection<{ _id: string; userId: string }>('referral_codes')
    .find({ _id: { $in: found.map(({ referredByCode }) => referredByCode) } })
    .toArray();
  const owners = new Map(codes.map(({ _id, userId }) => [_id, userId]));
  const writes = found.flatMap(({ _id, referredByCode: code, createdAt }) => {
    const userId = owners.get(code);
    if (userId === undefined || userId === _id) return [];
    const place = digest(`referred:${_id}`);
    const grantId = `referral-${digest(`grant:${place}`).slice(0, 24)}`;
    const row = { userId, code, grantId, standing: 'pending', createdAt, creditedAt: null, reversedAt: null };
    return [{ updateOne: { filter: { _id: place }, update: { $setOnInsert: row }, upsert: true } }];
  });
  const referrals = connection.collection<ReferralDocument>('referrals');
  const result = writes.length === 0 ? null : await referrals.bulkWrite(writes);
  return { last: found.at(-1)?._id ?? null, changed: result?.upsertedCount ?? 0 };
}

type Piece = (connection: Connection, after: string) => Promise<{ last: string | null; changed: number }>;

const PARTS: readonly { name: string; piece: Piece }[] = [
  { name: 'billing', piece: billingPiece },
  { name: 'users', piece: withoutFields('users', ['billingVersion', 'creditRevision']) },
  { name: 'issues', piece: withoutFields('billing_issues', ['version']) },
  { name: 'referrals', piece: referralsPiece },
  { name: 'places', piece: placesPiece },
];

/** Goes through the parts, one piece at a time. The cursor is `<part> <id>`. */
async function step(connection: Connection, cursor: string | null): Promise<MigrationStep | null> {
  const [name, after = ''] = (cursor ?? 'billing ').split(' ');
  const index = PARTS.findIndex((part) => part.name === name);
  const part = PARTS[index];
  if (part === undefined) return null;
  const { last, changed } = await part.piece(connection, after);
  return { cursor: last === null ? `${PARTS[index + 1]?.name ?? 'done'} ` : `${part.name} ${last}`, changed };
}

/** Subscriptions in the shape in which Stripe reports them, and what was half done before there were transactions. */
export const billingAsReported: Migration = {
  id: '2026-11-27-billing-as-reported',
  description:
    'Stores subscriptions as the payment provider reports them, and finishes referrals that were interrupted',
  step,
};
