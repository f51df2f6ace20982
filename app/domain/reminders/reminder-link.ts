import { zoneName } from '#app/domain/time/time-zone.ts';
import { doseText } from '#app/domain/units/quantity.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';

/** A dose as the page behind a reminder link shows it. */
export interface ActDose {
  name: string;
  /** "250 mcg" */
  amount: string;
  /** "9 Mar 2026, 08:30" in the dose's zone. */
  due: string;
  timeZone: string;
  /** Its status once logged, such as "taken"; null while pending. */
  doneAs: string | null;
  warnings: readonly { code: string; message: string }[];
  /** What changed since the last dose of the compound; null when nothing did. */
  readBack: string | null;
}

/** The part of a dose that the page needs. */
export interface LinkedDose {
  name: string;
  doseAmount: string;
  doseUnit: 'mg' | 'mcg';
  dueDate: Date;
  timeZone: string;
  status: string;
}

/**
 * @param warnings what taking it now would give
 * @param readBack what changed since the last dose of the compound
 */
export function actDose(
  dose: LinkedDose,
  { warnings, readBack }: Pick<ActDose, 'warnings' | 'readBack'>,
): ActDose {
  const { name, doseAmount, doseUnit, dueDate, timeZone, status } = dose;
  return {
    name,
    amount: doseText(doseAmount, doseUnit),
    due: shownInstant(dueDate, timeZone),
    timeZone: zoneName(timeZone),
    doneAs: status === 'taken' || status === 'skipped' ? status : null,
    warnings: warnings.map(({ code, message }) => ({ code, message })),
    readBack,
  };
}
