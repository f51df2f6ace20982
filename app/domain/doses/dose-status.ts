/** What became of a dose (specification, section 3). */
export const DOSE_STATUSES = ['pending', 'taken', 'missed', 'skipped'] as const;

export type DoseStatus = (typeof DOSE_STATUSES)[number];

/** The word beside the mark of a status. A dose that is not logged is due, whenever that is. */
export const STATUS_WORDS: Readonly<Record<DoseStatus, string>> = {
  pending: 'Due',
  taken: 'Taken',
  missed: 'Missed',
  skipped: 'Skipped',
};
