import type { AppError, CodedWarning } from '#app/domain/errors.ts';
import { confirmDoseError, type DoseWarning } from './dose-warnings.ts';

/** What has to be confirmed about one dose of several. */
export interface DoseQuestion {
  id: string;
  name: string;
  warnings: DoseWarning[];
  /** What an answer names; see `questionKey`. */
  key: string;
}

/**
 * Identifies the question about one of several doses. The answer counts for this amount and these warnings; if either has
 * changed by then, the question is a different one and is asked again.
 * @param amount see `amountKey`
 */
export function questionKey(id: string, warnings: readonly DoseWarning[], amount: string): string {
  const codes = [...new Set(warnings.map(({ code }) => code))].toSorted();
  return [id, codes.join('+'), amount].join(' ');
}

/** What a page asks about one of the doses. */
export interface ShownQuestion {
  id: string;
  messages: string[];
  /** The answer "yes". */
  key: string;
}

export const shownQuestion = ({ id, key, warnings }: DoseQuestion): ShownQuestion => ({
  id,
  key,
  messages: warnings.map(({ message }) => message),
});

/** The questions as an error, for callers without a form: each message begins with the dose's name. */
export function confirmDosesError(questions: readonly DoseQuestion[]): AppError {
  return confirmDoseError(
    questions.flatMap(({ id, name, warnings }) =>
      warnings.map(({ code, message }): CodedWarning => ({ id, code, message: `${name}: ${message}` })),
    ),
  );
}
