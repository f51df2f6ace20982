export { readAccessLog } from './access-log.server.ts';
export { askForDeletion, cancelDeletion, deletionOf } from './account-deletion.server.ts';
export { purgeDueAccounts } from './account-purge.server.ts';
export { claimAddress, getAccount, refuseCommonPassword, register } from './accounts.server.ts';
export { apiTokenRow } from './api-token-row.server.ts';
export {
  createApiToken,
  getApiToken,
  listApiTokens,
  resolveApiToken,
  revokeApiToken,
} from './api-tokens.server.ts';
export { authenticateForm } from './authenticate.server.ts';
export { openCodeStep, takeCode } from './code-step.server.ts';
export { confirmPassword } from './confirm-password.server.ts';
export { askForEmailChange, checkEmailLink, confirmEmailChange } from './email-change.server.ts';
export { changePassword } from './password-change.server.ts';
export { askForPasswordReset, checkResetLink, resetPassword } from './password-reset.server.ts';
export { hashPassword } from './passwords.server.ts';
export { updateProfile } from './profile.server.ts';
export {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from './second-factor.server.ts';
export { clearOverSessions, endSignIns, refuseAllSessions } from './session-revocation.server.ts';
export { sessionRow } from './session-row.server.ts';
export {
  actorOf,
  getSession,
  listSessions,
  resolveSession,
  revokeSession,
  signOut,
} from './sessions.server.ts';
export { beginAdminSignIn, beginSignIn } from './sign-in.server.ts';
