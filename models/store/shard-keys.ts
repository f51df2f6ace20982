/**
 * Collections that a cluster divides by their `_id`, because it is what they are looked up by. `docs/databases.md` has all
 * collections.
 */
const BY_ID: ReadonlySet<string> = new Set([
  'addresses',
  'demo_interest',
  'id_claims',
  'one_time_secrets',
  'referral_codes',
  'referrals',
  'secret_owners',
  'stripe_customers',
  'throttles',
  'users',
]);

/** Collections of few documents, which nobody owns. A cluster leaves them undivided. */
const UNDIVIDED: ReadonlySet<string> = new Set([
  'admin_figures',
  'announcements',
  'backups',
  'feature_flags',
  'job_runs',
  'mails',
  'migrations',
  'role_holders',
  'server_logs',
  'server_processes',
  'server_signals',
  'subscription_days',
  'subscription_months',
]);

/** The field by which a cluster divides a collection; null if it does not. Everything that somebody owns is with its owner. */
export function shardKeyOf(collection: string): 'userId' | '_id' | 'subjectId' | null {
  if (UNDIVIDED.has(collection)) return null;
  if (collection === 'audit') return 'subjectId';
  return BY_ID.has(collection) ? '_id' : 'userId';
}
