import { DOSE_COLUMNS } from './csv-rows.ts';

const LINES = [
  [...DOSE_COLUMNS],
  ['2026-03-08 08:00', 'BPC-157', '250', 'mcg', 'abdomen-upper-left', ''],
  ['2026-03-09T08:05:00+01:00', 'BPC-157', '0.25', 'mg', '', 'after breakfast'],
];

/** The plain table of doses with two lines to write over. It imports as it stands. */
export const DOSE_EXAMPLE = `${LINES.map((cells) => cells.join(',')).join('\r\n')}\r\n`;
