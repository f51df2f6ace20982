/**
 * Characters at which a spreadsheet takes text for a formula: also in the full width of East Asian keyboards, which some
 * read as the plain ones.
 */
const FORMULA = '=+\\-@\\t\\r\uff1d\uff0b\uff0d\uff20';

/** Those, and the sign that says that it is none. */
const RISKY = new RegExp(`^[${FORMULA}']`);
const GUARDED = new RegExp(`^'[${FORMULA}']`);

/**
 * Text for a CSV cell that no spreadsheet runs as a formula (CWE-1236): one apostrophe is put before a risky
 * beginning. Text that begins with an apostrophe gets one more, so that taking one off always gives the text back.
 */
export function guardFormula(text: string): string {
  return RISKY.test(text) ? `'${text}` : text;
}

/** Takes off what `guardFormula` put there. */
export function unguardFormula(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}
