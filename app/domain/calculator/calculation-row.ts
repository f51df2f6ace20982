import { entered } from './entered-decimals.ts';
import { drawFigures } from './figures.ts';
import { limitProblems, type NumberField } from './limits.ts';
import { solveEntered } from './solve.ts';
import { defaultMark, SYRINGES } from './syringes.ts';
import type { CalculationDraft, DrawFigures, WarningCode } from './calculation.ts';
import { warningCodes } from './warnings.ts';

/** The figures of one row of a batch, or the fields that break a limit. */
export type CalculatedRow =
  | { readonly problems: readonly NumberField[] }
  | (DrawFigures & { readonly problems?: undefined; readonly warnings: readonly WarningCode[] });

/**
 * Checks and computes in one go: what `findLimitProblems` and then `calculate` would say, with each number read once.
 * @param draft numbers are decimal texts that `readDecimalText` accepted, or absent
 */
export function calculateRow(draft: CalculationDraft): CalculatedRow {
  const numbers = entered(draft);
  const problems = limitProblems(draft.solveFor, numbers);
  if (problems.length > 0) return { problems };
  const exact = solveEntered(draft.solveFor, numbers);
  const syringe = SYRINGES[draft.syringe];
  const warnings = warningCodes(exact, syringe, draft.mark ?? defaultMark(syringe));
  return { ...drawFigures(exact, syringe), warnings };
}
