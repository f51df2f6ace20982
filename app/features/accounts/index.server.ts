export { readAccessLog } from './access-log.server.ts';
export {
  cancelDeletion,
  findDeletion,
  purgeDueAccounts,
  scheduleDeletion,
} from './account-deletion.server.ts';
export {
  contextOfProgram,
  createApiToken,
  getApiToken,
  listApiTokens,
  resolveApiToken,
  revokeApiToken,
} from './api-tokens.server.ts';
export { answerConnectionRequest, readConnectionRequest, resolveConnection } from './connections.server.ts';
export {
  askForEmailChange,
  checkEmailLink,
  confirmEmail,
  resendConfirmation,
} from './email-change.server.ts';
export { startDemoAccount } from './registration.server.ts';
export { invite, openInvitations, signUpState, type Invitation } from './invitations.server.ts';
export { listOpenLinks } from './password-change.server.ts';
export {
  addPasskey,
  addPasskeyOptions,
  confirmPasskeyOptions,
  getPasskey,
  listPasskeys,
  removePasskey,
} from './passkeys.server.ts';
export { getIdentity, listSignInWays, unlinkIdentity } from './identities.server.ts';
export {
  changePassword,
  confirmPassword,
  confirmWithPasskey,
  setFirstPassword,
} from './password-change.server.ts';
export { askForPasswordReset, checkResetLink, resetPassword } from './password-change.server.ts';
export {
  hashPassword,
  mayUsePassword,
  refuseCommonPassword,
  requirePasswords,
  warmPasswords,
} from './passwords.server.ts';
export { changeProfile, getAccount, getSyringe, removeSyringe, saveSyringe } from './profile.server.ts';
export { claimAddress } from './registration.server.ts';
export {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from './second-factor.server.ts';
export {
  actorOf,
  clearEndedSessions,
  endAllSessions,
  endSessionOf,
  getSession,
  listSessions,
  refuseAllSessions,
  resolveSession,
  revokeSession,
  signOut,
} from './sessions.server.ts';
