import {
  STOCK_WARNINGS,
  type StockWarning,
  type StockWarningCode,
} from '#app/domain/vials/stock-warnings.ts';

/** What can be said about logging a dose: that it comes too soon, and what the stock says. */
export const DOSE_WARNINGS = ['TOO_SOON', ...STOCK_WARNINGS] as const;

export type DoseWarningCode = 'TOO_SOON' | StockWarningCode;

/** Something to look at. It never blocks: pages ask first, the API writes and answers the codes. */
export interface DoseWarning {
  readonly code: DoseWarningCode;
  readonly message: string;
}

/** Those that a page asks about first; the others are only told. */
const ASKED: readonly DoseWarningCode[] = ['TOO_SOON', 'PAST_DATE', 'OVER_DRAWN'];

export const TOO_SOON: DoseWarning = {
  code: 'TOO_SOON',
  message: 'Less than half of the usual time from another dose of the same name.',
};

/** All there is to say about a dose that is to be logged, each message once. */
export function doseWarnings(isTooSoon: boolean, stock: readonly StockWarning[]): DoseWarning[] {
  const all = [...(isTooSoon ? [TOO_SOON] : []), ...stock.map(({ code, message }) => ({ code, message }))];
  return all.filter(({ message }, index) => all.findIndex((one) => one.message === message) === index);
}

/**
 * What still has to be asked before a dose is written.
 * @param confirmed codes that the person has seen and said yes to
 */
export function unconfirmed(
  warnings: readonly DoseWarning[],
  confirmed: readonly DoseWarningCode[],
): DoseWarning[] {
  return warnings.filter(({ code }) => ASKED.includes(code) && !confirmed.includes(code));
}
