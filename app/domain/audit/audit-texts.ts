import { sentenceCase } from '#app/domain/text/sentence-case.ts';
/** What the account's owner reads for each action of the audit trail. */
const ACTION_TEXTS: Readonly<Record<string, string>> = {
  'account.change-password': 'Password changed',
  'account.reset-password': 'Password reset by email link',
  'account.ask-deletion': 'Account deletion requested',
  'account.keep': 'Account deletion cancelled',
  'account.delete': 'Account deleted',
  'account.ask-email-change': 'Email change requested',
  'account.change-email': 'Email changed',
  'account.confirm-email': 'Email confirmed',
  'account.invite': 'Somebody invited',
  'account.accept-invitation': 'Account created by invitation',
  'second-factor.on': 'Two-step sign-in switched on',
  'second-factor.off': 'Two-step sign-in switched off',
  'second-factor.recovery-codes': 'New recovery codes created',
  'second-factor.recovery-code-used': 'Recovery code used',
  'passkey.add': 'Passkey added',
  'passkey.remove': 'Passkey removed',
  'passkey.copied': 'Passkey refused because it may have been copied',
  'identity.link': 'Sign-in with another service linked',
  'identity.unlink': 'Sign-in with another service unlinked',
  'api-token.create': 'API token created',
  'api-token.revoke': 'API token revoked',
  'report-share.create': 'Report link created',
  'report-share.revoke': 'Report link revoked',
  'webhook.create': 'Webhook added',
  'webhook.change': 'Webhook changed',
  'webhook.rotate-secret': 'Webhook secret replaced',
  'webhook.delete': 'Webhook deleted',
  'admin.create': 'Admin account created',
  'user.view': 'Account viewed',
  'user.suspend': 'Account suspended',
  'user.reinstate': 'Suspension lifted',
  'user.upgrade': 'Premium granted',
  'user.downgrade': 'Premium ended',
  'billing-issue.resolve': 'Billing issue resolved',
  'billing-issue.escalate': 'Billing issue escalated',
  'billing-issue.contact': 'Billing issue email sent',
  'system.backup': 'Backup created',
  'system.download-backup': 'Backup downloaded',
  'system.restore': 'Backup restored',
  'system.restart-worker': 'Worker restarted',
  'system.clear-cache': 'Caches cleared',
  'system.report': 'System report created',
  'system.breach-report': 'Breach report created',
  'flag.switch': 'Feature switched on or off',
  'announcement.make': 'Announcement published',
  'announcement.change': 'Announcement changed',
  'announcement.end': 'Announcement ended',
  'user.change-role': 'Role changed',
  'user.sign-out': 'Signed out everywhere',
  'user.end-session': 'Session ended',
  'user.reset-second-factor': 'Two-step sign-in reset',
  'user.delete': 'Account deleted by an administrator',
  'users.export': 'User list exported',
};

/** Every action that has a text, for a filter by action. */
export const AUDIT_ACTIONS: readonly string[] = Object.keys(ACTION_TEXTS);

/** The text of an action, or its name if it has none. */
export function actionText(action: string): string {
  return ACTION_TEXTS[action] ?? action.replace(/[.-]/g, ' ');
}

/**
 * Who did it, as far as the account's owner may know: no other person is named.
 * @param actor as the audit trail has it: a user's id, `visitor`, or `cli:<name>`
 */
export function actorText(actor: string, ownerId: string): string {
  if (actor === ownerId) return 'You';
  if (actor === 'visitor') return 'Someone with a link from your email';
  return actor.startsWith('cli:') ? 'The operator of this server' : 'An administrator';
}

/** "super_admin" as "super admin", true as "yes". */
function valueWords(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('_', ' ');
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : JSON.stringify(value);
}

/** "trialEndsAt" as "Trial ends at". */
const fieldWords = (field: string): string =>
  sentenceCase(field.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/**
 * The changed facts of an audit entry: "Role set to super admin", "Subscription: free → premium", "Role removed"; empty when
 * nothing changed.
 */
export function changesText({
  before,
  after,
}: {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}): string {
  const isNone = (value: unknown) => value === undefined || value === null;
  const same = (field: string) => valueWords(before[field] ?? null) === valueWords(after[field] ?? null);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !same(field))
    .map((field) => {
      const [was, is] = [before[field], after[field]];
      if (isNone(was)) return `${fieldWords(field)} set to ${valueWords(is)}`;
      if (isNone(is)) return `${fieldWords(field)} removed (was ${valueWords(was)})`;
      return `${fieldWords(field)}: ${valueWords(was)} → ${valueWords(is)}`;
    })
    .join(', ');
}
