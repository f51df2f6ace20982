import { Schema, trusted, type Connection } from 'mongoose';
import { API_TOKEN_SCOPES, type ApiTokenScope } from '#app/domain/accounts/api-token.ts';
import { secretPlaces, type SecretRecord } from '../store/secret-places.server.ts';
import { modelOf } from '../store/model-of.server.ts';

/** What a token has that was given to a program through OAuth: the hashes of its current secrets, and when the first ends. */
interface ConnectionSecrets {
  /** The hash of the program's id. */
  client: string;
  accessHash: string;
  accessEndsAt: Date;
  refreshHash: string;
}

/** A document of `api_tokens`, keyed by the hash of the secret that its owner was shown once. */
interface ApiTokenRow {
  _id: string;
  userId: string;
  /** Identifies it; not a secret. */
  tokenId: string;
  /** Which of the account's slots it takes: the unique key that enforces the limit. */
  place: number;
  name: string;
  scope: ApiTokenScope;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  /** Absent for a token that its owner created. */
  connection?: ConnectionSecrets | null;
}

/** How long an expired or revoked token stays listed. */
const KEPT_SECONDS = 30 * 86_400;

const apiTokenSchema = new Schema<ApiTokenRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    tokenId: { type: String, required: true },
    place: { type: Number, required: true },
    name: { type: String, required: true },
    scope: { type: String, enum: API_TOKEN_SCOPES, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, default: null },
    lastUsedAt: { type: Date, default: null },
    connection: {
      type: new Schema<ConnectionSecrets>(
        {
          client: { type: String, required: true },
          accessHash: { type: String, required: true },
          accessEndsAt: { type: Date, required: true },
          refreshHash: { type: String, required: true },
        },
        { _id: false },
      ),
      required: false,
    },
  },
  { collection: 'api_tokens' },
);

apiTokenSchema.index({ userId: 1, place: 1 }, { unique: true });
apiTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

/** A personal token; `hash` is the hash of its secret. */
export type ApiTokenRecord = SecretRecord<ApiTokenRow>;

/** Personal tokens, looked up by the hash of their secret; everything else is by owner. */
export function createApiTokenRepository(connection: Connection) {
  const model = modelOf<ApiTokenRow>(connection, 'ApiToken', apiTokenSchema);
  const tokens = secretPlaces(connection, model);
  return {
    ...tokens,

    /** Records a use, unless one was recorded after `unlessAfter`. */
    async touch(userId: string, tokenId: string, at: Date, unlessAfter: Date): Promise<void> {
      await model.updateOne(
        { userId, tokenId, lastUsedAt: trusted({ $not: { $gt: unlessAfter } }) },
        { $set: { lastUsedAt: at } },
      );
    },

    /**
     * Gives a connection new secrets.
     * @param refreshHash that of the refresh token it must still have; of several calls with it, only one succeeds
     */
    async renew(
      userId: string,
      tokenId: string,
      refreshHash: string,
      next: { connection: ConnectionSecrets; expiresAt: Date },
    ): Promise<boolean> {
      const current = { userId, tokenId, 'connection.refreshHash': refreshHash };
      return (await model.updateOne(current, { $set: next })).matchedCount === 1;
    },

    /** @returns what was removed; null when the owner has no such token */
    delete: (userId: string, tokenId: string): Promise<ApiTokenRecord | null> =>
      tokens.deleteOne(userId, { tokenId }),
  };
}
