/** What became of a dose. */
export const DOSE_STATUSES = ['pending', 'taken', 'missed', 'skipped'] as const;

export type DoseStatus = (typeof DOSE_STATUSES)[number];

/** Labels of the statuses. A dose that is not logged yet is "Due", whenever that is. */
export const STATUS_LABELS: Readonly<Record<DoseStatus, string>> = {
  pending: 'Due',
  taken: 'Taken',
  missed: 'Missed',
  skipped: 'Skipped',
};
