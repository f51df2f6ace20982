/**
 * Where something of a person may stand beside the collections whose documents name their owner by `userId`, and what
 * becomes of it when the account is deleted. A test fails on a collection that is neither here nor has a `userId`.
 */
export interface Holding {
  /** Why it stays when the account goes; it names the person by id alone. */
  keptBecause?: string;
  /** Fields that are not given out with the owner's data: they open something. */
  hidden?: readonly string[];
}

export const HOLDINGS: Readonly<Record<string, Holding>> = {
  audit: {
    keptBecause: 'who did what to which account must stay provable; people are named by id alone',
  },
  subscription_events: {
    keptBecause: 'books of what was paid, which the law wants kept; people are named by id alone',
    hidden: ['_id'],
  },
  billing_issues: {
    keptBecause: 'part of the books of what was paid; people are named by id alone',
  },
  users: { hidden: ['passwordHash'] },
  api_tokens: { hidden: ['_id'] },
  report_shares: { hidden: ['_id'] },
  idempotent_calls: { hidden: ['_id', 'fingerprint', 'answer'] },
  sessions: { hidden: ['_id'] },
  one_time_secrets: { hidden: ['_id', 'facts'] },
  second_factors: { hidden: ['secret', 'recoveryHashes'] },
  referrals: { hidden: ['_id'] },
  calendar_feeds: { hidden: ['_id'] },
  push_subscriptions: { hidden: ['_id', 'endpoint', 'p256dh', 'auth'] },
  addresses: {},
  demo_interest: {},
  role_holders: {},
};

/** Collections that hold nothing about anybody who can be named. */
export const NOBODYS: Readonly<Record<string, string>> = {
  backups: 'which backups there are; who made them stands in the audit',
  server_logs: 'the log without addresses and ids of people, gone after 14 days',
  server_signals: 'what all processes of this server are asked to do',
  announcements: 'what administrators tell all users',
  feature_flags: 'what is switched off on this server',
  admin_figures: 'counts for administrators, which name nobody',
  job_runs: 'how the worker of this server does',
  migrations: 'how far data of older versions have been changed',
  throttles: 'counts under hashed names, gone within the hour',
};
