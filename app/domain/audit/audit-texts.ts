/** What an action of the audit trail is called for the owner of the account. */
const WORDS: Readonly<Record<string, string>> = {
  'account.change-password': 'Password changed',
  'account.reset-password': 'Password reset by a mailed link',
  'account.ask-deletion': 'Deletion of the account asked for',
  'account.keep': 'Deletion of the account called off',
  'account.delete': 'Account deleted',
  'account.ask-email-change': 'New address asked for',
  'account.change-email': 'Address changed',
  'account.confirm-email': 'Address confirmed',
  'second-factor.on': 'Two-step sign-in switched on',
  'second-factor.off': 'Two-step sign-in switched off',
  'second-factor.recovery-codes': 'New recovery codes made',
  'second-factor.recovery-code-used': 'Recovery code used',
  'passkey.add': 'Passkey added',
  'passkey.remove': 'Passkey removed',
  'passkey.copied': 'Passkey refused because it may have been copied',
  'api-token.create': 'API token made',
  'api-token.revoke': 'API token revoked',
  'report-share.create': 'Link to a report made',
  'report-share.revoke': 'Link to a report revoked',
  'webhook.create': 'Webhook added',
  'webhook.change': 'Webhook changed',
  'webhook.rotate-secret': 'New secret of a webhook made',
  'webhook.delete': 'Webhook deleted',
  'admin.create': 'Admin account made',
  'user.view': 'Account looked at',
  'user.suspend': 'Account suspended',
  'user.reinstate': 'Suspension lifted',
  'user.upgrade': 'Premium granted',
  'user.downgrade': 'Premium ended',
  'billing-issue.resolve': 'Billing issue resolved',
  'billing-issue.escalate': 'Billing issue escalated',
  'billing-issue.contact': 'Mail about a billing issue sent',
  'system.backup': 'Backup made',
  'system.download-backup': 'Backup downloaded',
  'system.restore': 'Backup read in',
  'system.restart-worker': 'Worker restarted',
  'system.clear-cache': 'Caches cleared',
  'system.report': 'System report made',
  'system.breach-report': 'List of what a period touched made',
  'flag.switch': 'Feature switched',
  'announcement.make': 'Announcement published',
  'announcement.change': 'Announcement saved',
  'announcement.end': 'Announcement ended',
  'user.change-role': 'Role changed',
  'user.sign-out': 'Signed out everywhere',
  'user.end-session': 'One session ended',
  'user.reset-second-factor': 'Two-step sign-in reset',
  'user.delete': 'Account deleted by an administrator',
  'users.export': 'List of users exported',
};

/** Every action that has words, for a choice among them. */
export const AUDIT_ACTIONS: readonly string[] = Object.keys(WORDS);

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

/** The changed facts of an audit entry as `field: before → after`; empty when nothing changed. */
export function changesText({
  before,
  after,
}: {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}): string {
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => shown(before[field]) !== shown(after[field]))
    .map((field) => `${field}: ${shown(before[field])} → ${shown(after[field])}`)
    .join(', ');
}
