import { answerOAuth, oauthRefusal } from '#app/features/accounts/oauth-api.server.ts';
import { forPrograms } from '#app/platform/api/cross-origin.server.ts';

/** Where programs register, and get and revoke the tokens of a connection. */
const handle = forPrograms(answerOAuth, oauthRefusal);

export const loader = handle;
export const action = handle;
