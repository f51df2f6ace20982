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
  users: { hidden: ['passwordHash'] },
  sessions: { hidden: ['_id'] },
  one_time_secrets: { hidden: ['_id', 'facts'] },
  second_factors: { hidden: ['secret', 'recoveryHashes'] },
  addresses: {},
  demo_interest: {},
  role_holders: {},
};

/** Collections that hold nothing about anybody who can be named. */
export const NOBODYS: Readonly<Record<string, string>> = {
  throttles: 'counts under hashed names, gone within the hour',
};
