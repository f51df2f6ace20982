import { Schema, trusted, type Connection, type QueryFilter } from 'mongoose';
import { STORED_STATES, type StoredState } from '#app/domain/proposals/proposal.ts';
import { modelOf } from '../store/model-of.server.ts';
import { readPart } from '../store/queries.server.ts';
import type { ListPart } from '../store/owned-rows.server.ts';

/** A document of `proposals`: a change that a program proposes to the account's owner. */
interface ProposalRow {
  _id: string;
  userId: string;
  /** The API operation it would call. */
  operation: string;
  /** A description of the change, as of when it was proposed. */
  summary: string;
  /** The call's input as JSON. */
  values: string;
  /** Equal for equal calls. */
  fingerprint: string;
  /** The personal token it was proposed with; `terminal` for a program started there. */
  source: string;
  state: StoredState;
  /** The result in words: the answer, or why it failed. */
  message: string | null;
  claimedUntil: Date | null;
  createdAt: Date;
  expiresAt: Date;
  answeredAt: Date | null;
  /** When it is deleted. */
  removedAt: Date;
}

const proposalSchema = new Schema<ProposalRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    operation: { type: String, required: true },
    summary: { type: String, required: true },
    values: { type: String, required: true },
    fingerprint: { type: String, required: true },
    source: { type: String, required: true },
    state: { type: String, enum: STORED_STATES, required: true },
    message: { type: String, default: null },
    claimedUntil: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    answeredAt: { type: Date, default: null },
    removedAt: { type: Date, required: true },
  },
  { collection: 'proposals' },
);

proposalSchema.index({ userId: 1, createdAt: -1, _id: -1 });
proposalSchema.index({ userId: 1, state: 1, createdAt: -1, _id: -1 });
proposalSchema.index({ removedAt: 1 }, { expireAfterSeconds: 0 });

export type ProposalRecord = Omit<ProposalRow, '_id' | 'fingerprint' | 'removedAt'> & { id: string };

const toRecord = ({ _id, fingerprint: _print, removedAt: _end, ...rest }: ProposalRow): ProposalRecord => ({
  id: _id,
  ...rest,
});

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** Part of a list: only waiting proposals, or only the others. */
interface ProposalSelection extends ListPart {
  waiting?: boolean;
  now: Date;
}

/** A filter for proposals that are waiting at a moment. */
const waitingOf = (userId: string, now: Date) => ({
  userId,
  state: 'waiting' as const,
  expiresAt: trusted({ $gt: now }),
});

function filterOf(
  userId: string,
  { waiting, now }: Pick<ProposalSelection, 'waiting' | 'now'>,
): QueryFilter<ProposalRow> {
  if (waiting === undefined) return { userId };
  if (waiting) return waitingOf(userId, now);
  return { userId, $or: [{ state: trusted({ $ne: 'waiting' }) }, { expiresAt: trusted({ $lte: now }) }] };
}

/** Changes proposed by programs. Every call names the owner. */
export function createProposalRepository(connection: Connection) {
  const model = modelOf<ProposalRow>(connection, 'Proposal', proposalSchema);
  return {
    // Answers to proposals. Each is one atomic update, so that only one of several concurrent answers counts.

    /** Begins to carry out a proposal; only one concurrent call may. @returns false when it is no longer waiting */
    async claim(userId: string, id: string, now: Date, claimedUntil: Date): Promise<boolean> {
      const change = { $set: { state: 'accepting' as const, claimedUntil } };
      return (await model.updateOne({ ...waitingOf(userId, now), _id: id }, change)).modifiedCount === 1;
    },

    /** Records the result of carrying it out: done, or waiting again with the reason. */
    async settle(
      userId: string,
      id: string,
      { state, message, answeredAt }: Pick<ProposalRow, 'state' | 'message' | 'answeredAt'>,
    ): Promise<void> {
      const change = { $set: { state, message, answeredAt, claimedUntil: null } };
      await model.updateOne({ userId, _id: id, state: 'accepting' }, change);
    },

    /** @returns the proposal; null when it is no longer waiting */
    async decline(userId: string, id: string, now: Date): Promise<ProposalRecord | null> {
      const change = { $set: { state: 'declined' as const, answeredAt: now } };
      const filter = { ...waitingOf(userId, now), _id: id };
      const row = await model
        .findOneAndUpdate(filter, change, { returnDocument: 'after' })
        .lean<ProposalRow>();
      return row === null ? null : toRecord(row);
    },

    async create(proposal: Omit<ProposalRow, '_id'> & { id: string }): Promise<void> {
      const { id, ...rest } = proposal;
      await model.create({ _id: id, ...rest });
    },

    /** A waiting proposal for the same call. */
    async findSame(userId: string, fingerprint: string, now: Date): Promise<ProposalRecord | null> {
      const row = await model.findOne({ ...waitingOf(userId, now), fingerprint }).lean();
      return row === null ? null : toRecord(row);
    },

    async find(userId: string, id: string): Promise<ProposalRecord | null> {
      const row = await model.findOne({ userId, _id: id }).lean();
      return row === null ? null : toRecord(row);
    },

    /** Newest first. */
    async list(userId: string, { waiting, now, ...part }: ProposalSelection): Promise<ProposalRecord[]> {
      const chosen = { now, ...(waiting !== undefined && { waiting }) };
      const rows = await readPart(model, filterOf(userId, chosen), { sort: NEWEST_FIRST, ...part });
      return rows.map(toRecord);
    },

    async count(userId: string, chosen: Pick<ProposalSelection, 'waiting' | 'now'>): Promise<number> {
      return model.countDocuments(filterOf(userId, chosen));
    },

    /** Removes a proposal that was not answered. */
    async remove(userId: string, id: string): Promise<void> {
      await model.deleteOne({ userId, _id: id, state: 'waiting' });
    },
  };
}
