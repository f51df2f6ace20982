import { Schema, trusted, type Connection } from 'mongoose';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { modelOf } from '../store/model-of.server.ts';
import { insertMissing } from '../store/writes.server.ts';

/**
 * A document of `id_claims`: the id in a file that an import is about to give a row. Rows of two accounts are on two shards of a
 * cluster, neither of which knows the other's ids; a claim is on the one that its id says.
 */
interface IdClaimRow {
  /** Which kind of row, and its id. */
  _id: string;
  /** Who claims it: a digest of account and id, which says nothing about whose it is. */
  claimant: string;
  expiresAt: Date;
}

const idClaimSchema = new Schema<IdClaimRow>(
  {
    _id: { type: String, required: true },
    claimant: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'id_claims' },
);

idClaimSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Longer than any act takes: from then on the row itself is found. */
const CLAIM_MS = DAY_MS;

/** Ids that imports are about to use. */
export function createIdClaimRepository(connection: Connection) {
  const model = modelOf<IdClaimRow>(connection, 'IdClaim', idClaimSchema);
  return {
    /**
     * Claims the ids of rows of a kind, in the act that writes them: of two acts at once the second one runs again, and finds
     * the claims of the first.
     * @param ids each with its claimant
     * @returns the ids that somebody else has claimed
     */
    async claim(kind: string, ids: ReadonlyMap<string, string>, now: Date): Promise<Set<string>> {
      const expiresAt = new Date(now.getTime() + CLAIM_MS);
      const claims = [...ids].map(([id, claimant]) => ({ _id: `${kind} ${id}`, claimant, expiresAt }));
      await insertMissing(model, claims);
      const rows = await model
        .find({ _id: trusted({ $in: claims.map(({ _id }) => _id) }) }, { claimant: 1 })
        .limit(claims.length)
        .lean();
      const claimants = new Map(rows.map(({ _id, claimant }) => [_id, claimant]));
      return new Set(
        [...ids].filter(([id, claimant]) => claimants.get(`${kind} ${id}`) !== claimant).map(([id]) => id),
      );
    },
  };
}
