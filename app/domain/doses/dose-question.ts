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
