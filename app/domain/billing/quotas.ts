import { plural } from '#app/domain/text/plural.ts';

/**
 * What limits the size of an account. Demos and trials have everything that Premium has, but need neither a payment nor, for
 * a demo, an account, so they must not be a way to fill the disk: 200 demos at once hold at most 4 million records and 4 GB.
 */
export type QuotaPlan = 'demo' | 'trial' | 'free' | 'premium';

/** Records of an account, over all collections that have no limit of their own. */
const ROWS: Readonly<Record<QuotaPlan, number>> = {
  demo: 20_000,
  trial: 100_000,
  free: 5_000,
  premium: 1_000_000,
};

const MB = 1024 * 1024;

/** Bytes of an account's files of one kind (pictures, documents), where that is less than the kind allows. */
const FILE_BYTES: Readonly<Partial<Record<QuotaPlan, number>>> = { demo: 10 * MB, trial: 50 * MB };

const HOLDERS: Readonly<Record<QuotaPlan, string>> = {
  demo: 'a demo',
  trial: 'a trial',
  free: 'the free plan',
  premium: 'an account',
};

/** How many records an account may have. */
export const rowQuota = (plan: QuotaPlan): number => ROWS[plan];

const limitText = (plan: QuotaPlan): string => `${HOLDERS[plan]} holds ${plural(ROWS[plan], 'record')}`;

const wayOut = (plan: QuotaPlan): string =>
  plan === 'premium' || plan === 'demo'
    ? 'Delete records you no longer need and try again.'
    : `Delete records you no longer need, or upgrade to Premium for ${plural(ROWS.premium, 'record')}.`;

/** Shown when there is no room for another record. */
export const accountFullMessage = (plan: QuotaPlan): string =>
  `Your account is full: ${limitText(plan)}. ${wayOut(plan)}`;

/** Shown when a file has more new records than there is room for. */
export const fileTooLongMessage = (plan: QuotaPlan, room: number): string =>
  `This file has too many new records: ${limitText(plan)}, and yours has room for ${room.toLocaleString('en')} more. ${wayOut(plan)}`;

/** A limit on files of one kind, with the message when it is reached. */
export interface FileLimit {
  count: number;
  bytes: number;
  fullMessage: string;
}

/** The limit on an account's files of one kind. @param files what they are called: "pictures" */
export function fileQuota(plan: QuotaPlan, limit: FileLimit, files: string): FileLimit {
  const bytes = FILE_BYTES[plan];
  if (bytes === undefined || bytes >= limit.bytes) return limit;
  const fullMessage = `There is no room for it: ${HOLDERS[plan]} holds ${bytes / MB} MB of ${files}. Delete some first.`;
  return { ...limit, bytes, fullMessage };
}
