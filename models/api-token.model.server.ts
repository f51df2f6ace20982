import { Schema } from 'mongoose';
import { API_TOKEN_SCOPES, type ApiTokenScope } from '#app/domain/accounts/api-token.ts';

/** A document of `api_tokens`, keyed by the hash of the secret that its owner was shown once. */
export interface ApiTokenRow {
  _id: string;
  userId: string;
  /** Names it; not a secret. */
  tokenId: string;
  /** Which of the account's places it takes: the unique key that keeps the limit. */
  place: number;
  name: string;
  scope: ApiTokenScope;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** A token that is over stays listed for so long. */
const KEPT_SECONDS = 30 * 86_400;

export const apiTokenSchema = new Schema<ApiTokenRow>(
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
  },
  { collection: 'api_tokens' },
);

apiTokenSchema.index({ userId: 1, place: 1 }, { unique: true });
apiTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
