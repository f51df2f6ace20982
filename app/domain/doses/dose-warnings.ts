import { STOCK_WARNINGS, type StockWarning, type StockWarningCode } from '#app/domain/vials/plan-draws.ts';

/** Codes of warnings about logging a dose: too soon after another, and those about stock. */
export const DOSE_WARNINGS = ['TOO_SOON', ...STOCK_WARNINGS] as const;

export type DoseWarningCode = 'TOO_SOON' | StockWarningCode;

/** Something to know before logging a dose. It never blocks: pages ask first, the API logs and returns the codes. */
export interface DoseWarning {
  readonly code: DoseWarningCode;
  readonly message: string;
}

/** Warnings that a page asks to confirm; it only shows the others. */
const ASKED: readonly DoseWarningCode[] = ['TOO_SOON', 'PAST_DATE', 'OVER_DRAWN'];

export const TOO_SOON: DoseWarning = {
  code: 'TOO_SOON',
  message: 'You logged this less than half the usual interval ago.',
};

/** All warnings about logging a dose, each message once. */
export function doseWarnings(isTooSoon: boolean, stock: readonly StockWarning[]): DoseWarning[] {
  const all = [...(isTooSoon ? [TOO_SOON] : []), ...stock.map(({ code, message }) => ({ code, message }))];
  return all.filter(({ message }, index) => all.findIndex((one) => one.message === message) === index);
}

/**
 * Warnings that still need confirming before a dose is logged.
 * @param confirmed codes the person has accepted
 */
export function unconfirmed(
  warnings: readonly DoseWarning[],
  confirmed: readonly DoseWarningCode[],
): DoseWarning[] {
  return warnings.filter(({ code }) => ASKED.includes(code) && !confirmed.includes(code));
}
