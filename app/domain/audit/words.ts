/** What an action of the audit trail is called for the owner of the account. */
const WORDS: Readonly<Record<string, string>> = {
  'account.change-password': 'Password changed',
  'account.reset-password': 'Password reset by a mailed link',
  'account.ask-deletion': 'Deletion of the account asked for',
  'account.keep': 'Deletion of the account called off',
  'account.delete': 'Account deleted',
  'account.ask-email-change': 'New address asked for',
  'account.change-email': 'Address changed',
  'second-factor.on': 'Two-step sign-in switched on',
  'second-factor.off': 'Two-step sign-in switched off',
  'second-factor.recovery-codes': 'New recovery codes made',
  'second-factor.recovery-code-used': 'Recovery code used to sign in',
  'api-token.create': 'API token made',
  'api-token.revoke': 'API token revoked',
  'admin.create': 'Admin account made',
  'user.view': 'Account looked at',
  'user.suspend': 'Account suspended',
  'user.reinstate': 'Suspension lifted',
  'user.upgrade': 'Premium granted',
  'user.downgrade': 'Premium ended',
  'user.change-role': 'Role changed',
};

/** An action in words; one without words of its own by its name. */
export function actionText(action: string): string {
  return WORDS[action] ?? action.replace(/[.-]/g, ' ');
}

/**
 * Who did it, as the owner of the account may know it: no other person is named.
 * @param actor as the audit trail has it: a user's id, `visitor`, or `cli:<name>`
 */
export function actorText(actor: string, ownerId: string): string {
  if (actor === ownerId) return 'You';
  if (actor === 'visitor') return 'Somebody with a link from your mail';
  return actor.startsWith('cli:') ? 'The operator of this server' : 'An administrator';
}
