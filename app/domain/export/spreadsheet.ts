/** Characters at which a spreadsheet takes text for a formula, and the sign that says it is none. */
const RISKY = /^[=+\-@\t\r']/;

/**
 * Text for a CSV cell that no spreadsheet runs as a formula (CWE-1236): one apostrophe is put before a risky
 * beginning. Text that begins with an apostrophe gets one more, so that taking one off always gives the text back.
 */
export function guardFormula(text: string): string {
  return RISKY.test(text) ? `'${text}` : text;
}

/** Takes off what `guardFormula` put there. */
export function unguardFormula(cell: string): string {
  return /^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell;
}
