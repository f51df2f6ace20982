/** The columns of the plain table of doses; the last two may be missing. */
export const DOSE_COLUMNS = ['takenAt', 'name', 'amount', 'unit', 'site', 'notes'] as const;
export const REQUIRED_DOSE_COLUMNS = DOSE_COLUMNS.slice(0, 4);

const LINES = [
  [...DOSE_COLUMNS],
  ['2026-03-08 08:00', 'BPC-157', '250', 'mcg', 'abdomen-upper-left', ''],
  ['2026-03-09T08:05:00+01:00', 'BPC-157', '0.25', 'mg', '', 'after breakfast'],
];

/** The plain table of doses with two sample lines. It imports as it stands. */
export const DOSE_EXAMPLE = `${LINES.map((cells) => cells.join(',')).join('\r\n')}\r\n`;
